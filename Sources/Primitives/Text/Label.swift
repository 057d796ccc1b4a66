/// A domain label: a constant that separates one use of a key from all others.
///
/// Every key derivation, seal and signature uses one. A label is in ``Label/all``; a test checks that no label is used
/// twice and that none begins with another.
package struct Label: Sendable, Hashable, CustomStringConvertible {
    /// The label as text.
    package let text: String

    /// The bytes that enter a derivation: UTF-8, without a length or terminator.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// The text. Labels are not secret.
    package var description: String { text }

    /// Creates a label from a constant.
    package init(_ text: StaticString) {
        self.text = text.description
    }

    /// All labels of this package, including those in extensions of other modules.
    package static let all: [Label] = activationExchange + sealedChannel + instances + approvals + client + platform
}

// MARK: Activation

// PRK is the key that the key schedule of an activation starts from.
extension Label {
    /// Salt of the extraction of PRK, before the session id.
    package static let activation = Label("swift-orchestration/1 activation")
    /// PRK → the tag that proves that the platform knows the activation password.
    package static let platformTag = Label("swift-orchestration/1 platform tag")
    /// PRK → the tag that proves that the authenticator knows the activation password.
    package static let authenticatorTag = Label("swift-orchestration/1 authenticator tag")
    /// PRK → the secret of request 2; this secret, salted with the request's random value → the request's key and
    /// nonce.
    package static let keyRequest = Label("swift-orchestration/1 key request")
    /// PRK → the secret of answer 2; this secret, salted with the answer's random value → the answer's key and nonce.
    package static let keyAnswer = Label("swift-orchestration/1 key answer")
    /// Secret of request 2 → the key of the HMAC that makes the request's random value.
    package static let hedgeKeyRequest = Label("swift-orchestration/1 hedge key request")
    /// Secret of answer 2 → the key of the HMAC that makes the answer's random value.
    package static let hedgeKeyAnswer = Label("swift-orchestration/1 hedge key answer")
    /// PRK → the provisioning secret, from which the next four are derived.
    package static let provisioning = Label("swift-orchestration/1 provisioning")
    /// Provisioning secret → K₁, the secret of the password's instance.
    package static let passwordInstance = Label("swift-orchestration/1 password instance")
    /// Provisioning secret → K₂n, the secret of the other instance.
    package static let otherInstance = Label("swift-orchestration/1 other instance")
    /// Provisioning secret → D₀, the first state of the key ratchet.
    package static let ratchetStart = Label("swift-orchestration/1 chain start")
    /// Provisioning secret → the secret that device and platform share on the channel.
    package static let presharedKey = Label("swift-orchestration/1 preshared key")

    private static let activationExchange: [Label] = [
        activation, platformTag, authenticatorTag, keyRequest, keyAnswer, hedgeKeyRequest, hedgeKeyAnswer, provisioning,
        passwordInstance, otherInstance, ratchetStart, presharedKey,
    ]
}

// MARK: Channel and instances

extension Label {
    /// Start of the `info` of the channel's HPKE context.
    package static let channel = Label("swift-orchestration/1 request")
    /// HPKE context → the secret of a request; this secret → its key and nonce.
    package static let request = Label("request")
    /// HPKE context → the secret of an answer; this secret → its key and nonce.
    ///
    /// A proof is a code under a proof key, which is derived elsewhere, over this label and the signed message.
    package static let answer = Label("answer")

    /// Pre-shared key → the key of the HMAC that makes a request's random value.
    package static let hedgeRequest = Label("swift-orchestration/1 hedge request")
    /// Pre-shared key → the key of the HMAC that makes an answer's random value.
    package static let hedgeAnswer = Label("swift-orchestration/1 hedge answer")

    private static let sealedChannel: [Label] = [channel, request, answer, hedgeRequest, hedgeAnswer]
}

extension Label {
    /// State of the key ratchet and the inputs of both sides → the next state, before its index.
    package static let ratchet = Label("chain")
    /// State of the key ratchet → the key of the tag of a request.
    package static let ratchetTag = Label("swift-orchestration/1 ratchet tag")
    /// Secret of an instance and state of the key ratchet → the key of a proof.
    package static let proofKey = Label("swift-orchestration/1 proof key")
    /// Secret of an instance and state of the key ratchet → the key of the codes of one crypto application.
    package static let codeKey = Label("swift-orchestration/1 code key")
    /// Secret of the other instance and state of the key ratchet → the key of the platform's codes for one crypto
    /// application.
    package static let hostCodeKey = Label("swift-orchestration/1 host code key")

    private static let instances: [Label] = [ratchet, ratchetTag, proofKey, codeKey, hostCodeKey]
}

// MARK: Approvals and methods

// The external associated data of signatures that are not messages of the channel.
extension Label {
    /// The signature of the platform over an approval request.
    package static let approvalRequest = Label("swift-orchestration/1 approval request")
    /// The signature of a device over an approval answer.
    package static let approvalAnswer = Label("swift-orchestration/1 approval answer")
    /// The signatures of the platform over the confirmation of a receipt.
    package static let receipt = Label("swift-orchestration/1 receipt")

    /// The signature of a method's key over its own registration.
    package static let methodRegistration = Label("swift-orchestration/1 method registration")

    private static let approvals: [Label] = [approvalRequest, approvalAnswer, receipt, methodRegistration]
}

// MARK: Client

// Labels of data that the client stores. They are not part of the protocol.
extension Label {
    /// Random key file, the app's salt and machine → the root of a software device key.
    package static let deviceRoot = Label("swift-orchestration/1 device root")
    /// Device root → the key that seals the P-256 key in its handle.
    package static let deviceKeySeal = Label("swift-orchestration/1 device key seal")
    /// Device root → the check value in a handle that distinguishes this device from others.
    package static let deviceBinding = Label("swift-orchestration/1 device binding")
    /// Device → the secret that seals user records.
    package static let deviceStorageSecret = Label("swift-orchestration/1 device storage secret")
    /// Device → the secret in the wrap of K₁.
    package static let devicePasswordSecret = Label("swift-orchestration/1 device password secret")
    /// Storage secret and fresh salt → the key of one write of a user record; also the kind in its associated data.
    package static let userRecord = Label("swift-orchestration/1 user record")
    /// The app's salt, tenant and account → the name of the record in the store.
    package static let recordName = Label("swift-orchestration/1 record name")
    /// scrypt of the password and the device's password secret → the pad over K₁.
    package static let passwordPad = Label("swift-orchestration/1 password pad")

    /// Storage secret and device id → the key of the keyed hashes in the device data.
    package static let deviceDataHash = Label("swift-orchestration/1 device data hash")

    private static let client: [Label] = [
        deviceDataHash, deviceRoot, deviceKeySeal, deviceBinding, deviceStorageSecret, devicePasswordSecret, userRecord,
        recordName,
        passwordPad,
    ]
}

// MARK: Platform

extension Label {
    /// Sealing key or master key → the key of a sealed value.
    package static let platformRow = Label("swift-orchestration/1 platform row")
    /// Key of the HMACs of rows → the key of the HMAC at the end of an exported audit log.
    package static let auditExport = Label("swift-orchestration/1 audit export")
    /// Input of the HMAC that names the data keys in an exported audit log.
    package static let dataKeysID = Label("swift-orchestration/1 id of data keys")
    /// Key of the HMACs of rows → the key of the HMAC that names a topic to other processes.
    package static let changeTopic = Label("swift-orchestration/1 change topic")
    /// Start of the data of a leaf in the tree of the audit log.
    package static let auditEntry = Label("swift-orchestration/1 audit entry")
    /// Start of the hash input for a login source that an application server names.
    package static let loginSource = Label("swift-orchestration/1 login source")
    /// Start of the hash input for the secret of an API key.
    package static let apiKey = Label("swift-orchestration/1 api key")
    /// Start of the hash input for the certificate of an application server.
    package static let clientCertificate = Label("swift-orchestration/1 client certificate")
    /// Start of the hash input for the secret of an unlock code.
    package static let unlockCode = Label("swift-orchestration/1 unlock code")
    /// Start of the HMAC input for the network address of an activation exchange.
    package static let activationSource = Label("swift-orchestration/1 exchange source")

    private static let platform: [Label] = [
        platformRow, auditExport, dataKeysID, auditEntry, loginSource, apiKey, clientCertificate, unlockCode,
        activationSource, changeTopic,
    ]
}
