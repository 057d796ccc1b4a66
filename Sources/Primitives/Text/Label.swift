/// A domain label: a constant that separates one use of a key from all others.
///
/// Every key derivation, seal and signature uses one. A test checks that no label is used twice and that none begins with
/// another.
package enum Label: String, CaseIterable, Sendable, CustomStringConvertible {
    // MARK: Activation

    // PRK is the key that the key schedule of an activation starts from.

    /// Salt of the extraction of PRK, before the session id.
    case activation = "swift-orchestration/1 activation"
    /// PRK → the tag that proves that the platform knows the activation password.
    case platformTag = "swift-orchestration/1 platform tag"
    /// PRK → the tag that proves that the authenticator knows the activation password.
    case authenticatorTag = "swift-orchestration/1 authenticator tag"
    /// PRK → the secret of request 2; this secret, salted with the request's random value → the request's key and
    /// nonce.
    case keyRequest = "swift-orchestration/1 key request"
    /// PRK → the secret of answer 2; this secret, salted with the answer's random value → the answer's key and nonce.
    case keyAnswer = "swift-orchestration/1 key answer"
    /// Secret of request 2 → the key of the HMAC that makes the request's random value.
    case hedgeKeyRequest = "swift-orchestration/1 hedge key request"
    /// Secret of answer 2 → the key of the HMAC that makes the answer's random value.
    case hedgeKeyAnswer = "swift-orchestration/1 hedge key answer"
    /// PRK → the provisioning secret, from which the next four are derived.
    case provisioning = "swift-orchestration/1 provisioning"
    /// Provisioning secret → K₁, the secret of the password's instance.
    case passwordInstance = "swift-orchestration/1 password instance"
    /// Provisioning secret → K₂n, the secret of the other instance.
    case otherInstance = "swift-orchestration/1 other instance"
    /// Provisioning secret → D₀, the first state of the key ratchet.
    case ratchetStart = "swift-orchestration/1 chain start"
    /// Provisioning secret → the secret that device and platform share on the channel.
    case presharedKey = "swift-orchestration/1 preshared key"

    // MARK: Channel and instances

    /// Start of the `info` of the channel's HPKE context.
    case channel = "swift-orchestration/1 request"
    /// HPKE context → the secret of a request; this secret → its key and nonce.
    case request = "request"
    /// HPKE context → the secret of an answer; this secret → its key and nonce.
    ///
    /// A proof is a code under a proof key, which is derived elsewhere, over this label and the signed message.
    case answer = "answer"

    /// Pre-shared key → the key of the HMAC that makes a request's random value.
    case hedgeRequest = "swift-orchestration/1 hedge request"
    /// Pre-shared key → the key of the HMAC that makes an answer's random value.
    case hedgeAnswer = "swift-orchestration/1 hedge answer"

    /// State of the key ratchet and the inputs of both sides → the next state, before its index.
    case ratchet = "chain"
    /// State of the key ratchet → the key of the tag of a request.
    case ratchetTag = "swift-orchestration/1 ratchet tag"
    /// Secret of an instance and state of the key ratchet → the key of a proof.
    case proofKey = "swift-orchestration/1 proof key"
    /// Secret of an instance and state of the key ratchet → the key of the codes of one crypto application.
    case codeKey = "swift-orchestration/1 code key"
    /// Secret of the other instance and state of the key ratchet → the key of the platform's codes for one crypto
    /// application.
    case hostCodeKey = "swift-orchestration/1 host code key"

    // MARK: Approvals and methods

    // The external associated data of signatures that are not messages of the channel.

    /// The signature of the platform over an approval request.
    case approvalRequest = "swift-orchestration/1 approval request"
    /// The signature of a device over an approval answer.
    case approvalAnswer = "swift-orchestration/1 approval answer"
    /// The signatures of the platform over the confirmation of a receipt.
    case receipt = "swift-orchestration/1 receipt"

    /// The signature of a method's key over its own registration.
    case methodRegistration = "swift-orchestration/1 method registration"

    // MARK: Client

    // Labels of data that the client stores. They are not part of the protocol.

    /// Random key file, the app's salt and machine → the root of a software device key.
    case deviceRoot = "swift-orchestration/1 device root"
    /// Device root → the key that seals the P-256 key in its handle.
    case deviceKeySeal = "swift-orchestration/1 device key seal"
    /// Device root → the check value in a handle that distinguishes this device from others.
    case deviceBinding = "swift-orchestration/1 device binding"
    /// Device → the secret that seals user records.
    case deviceStorageSecret = "swift-orchestration/1 device storage secret"
    /// Device → the secret in the wrap of K₁.
    case devicePasswordSecret = "swift-orchestration/1 device password secret"
    /// Storage secret and fresh salt → the key of one write of a user record; also the kind in its associated data.
    case userRecord = "swift-orchestration/1 user record"
    /// The app's salt, tenant and account → the name of the record in the store.
    case recordName = "swift-orchestration/1 record name"
    /// scrypt of the password and the device's password secret → the pad over K₁.
    case passwordPad = "swift-orchestration/1 password pad"

    /// Storage secret and device id → the key of the keyed hashes in the device data.
    case deviceDataHash = "swift-orchestration/1 device data hash"

    // MARK: Platform

    /// Sealing key or master key → the key of a sealed value.
    case platformRow = "swift-orchestration/1 platform row"
    /// Key of the HMACs of rows → the key of the HMAC at the end of an exported audit log.
    case auditExport = "swift-orchestration/1 audit export"
    /// Input of the HMAC that names the data keys in an exported audit log.
    case dataKeysID = "swift-orchestration/1 id of data keys"
    /// Key of the HMACs of rows → the key of the HMAC that names a topic to other processes.
    case changeTopic = "swift-orchestration/1 change topic"
    /// Start of the data of a leaf in the tree of the audit log.
    case auditEntry = "swift-orchestration/1 audit entry"
    /// Start of the hash input for a login source that an application server names.
    case loginSource = "swift-orchestration/1 login source"
    /// Start of the hash input for the secret of an API key.
    case apiKey = "swift-orchestration/1 api key"
    /// Start of the hash input for the certificate of an application server.
    case clientCertificate = "swift-orchestration/1 client certificate"
    /// Start of the hash input for the secret of an unlock code.
    case unlockCode = "swift-orchestration/1 unlock code"
    /// Start of the HMAC input for the network address of an activation exchange.
    case activationSource = "swift-orchestration/1 exchange source"

    /// The label as text.
    package var text: String { rawValue }

    /// The bytes that enter a derivation: UTF-8, without a length or terminator.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// The text. Labels are not secret.
    package var description: String { text }
}
