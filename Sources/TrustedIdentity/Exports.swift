// Types of lower modules that a user of the platform must be able to name with `import TrustedIdentity` alone.
//
// No other file of this module may import one of these by name: the compiler folds equal imports of a module into one,
// and the re-export is lost. `PlatformAdopterTests.swift` does not compile then.

@_exported public import struct OrchestrationProtocol.ActivationLink
@_exported public import struct OrchestrationProtocol.ApprovalPrincipal
@_exported public import struct OrchestrationProtocol.DisplayData
@_exported public import struct OrchestrationProtocol.DisplayDataError
@_exported public import enum OrchestrationProtocol.DisplayField
@_exported public import struct OrchestrationProtocol.OrchestrationCommand
@_exported public import struct OrchestrationProtocol.PublishedKeys
@_exported public import struct OrchestrationProtocol.Receipt
@_exported public import struct OrchestrationProtocol.ReceiptError
@_exported public import struct OrchestrationProtocol.RefusalNotice
@_exported public import struct OrchestrationProtocol.RefusalNoticeError
@_exported public import struct OrchestrationProtocol.UnknownDisplayField
@_exported public import struct OrchestrationProtocol.VerifiedReceipt
@_exported public import struct Primitives.AccountName
@_exported public import struct Primitives.AccountNameError
@_exported public import struct Primitives.Amount
@_exported public import enum Primitives.ApprovalDecision
@_exported public import enum Primitives.ApprovalKind
@_exported public import enum Primitives.ApprovalOutcome
@_exported public import enum Primitives.AuthenticationMethod
@_exported public import enum Primitives.Blame
@_exported public import protocol Primitives.CodedError
@_exported public import enum Primitives.CryptoApplicationIndex
@_exported public import struct Primitives.Currency
@_exported public import struct Primitives.DataField
@_exported public import struct Primitives.DataFieldError
@_exported public import enum Primitives.FallbackReason
@_exported public import struct Primitives.IBAN
@_exported public import enum Primitives.Instance
@_exported public import enum Primitives.LockReason
@_exported public import enum Primitives.MethodProtection
@_exported public import struct Primitives.PINPolicy
@_exported public import struct Primitives.PaymentDataError
@_exported public import enum Primitives.PostQuantumPreference
@_exported public import protocol Primitives.RandomSource
@_exported public import protocol Primitives.Redacted
@_exported public import enum Primitives.RejectionReason
@_exported public import struct Primitives.SecretBytes
@_exported public import struct Primitives.SourceLocation
@_exported public import struct Primitives.SystemRandomSource
@_exported public import struct Primitives.SystemTimeSource
@_exported public import protocol Primitives.TimeSource
@_exported public import struct Primitives.Timestamp
