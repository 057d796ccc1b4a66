// The names that an adopter needs with `import Orchestration` alone.
//
// No other file may import one of these by name: the compiler folds equal imports of a module into one, and the
// re-export is lost without a word. `AdopterTests.swift` fails to compile when that happens.

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
@_exported public import enum Primitives.MethodProtection
@_exported public import struct Primitives.PINPolicy
@_exported public import struct Primitives.PaymentDataError
@_exported public import enum Primitives.PostQuantumPreference
@_exported public import protocol Primitives.RandomSource
@_exported public import protocol Primitives.Redacted
@_exported public import enum Primitives.RejectionReason
@_exported public import struct Primitives.ScryptCost
@_exported public import struct Primitives.SecretBytes
@_exported public import struct Primitives.SourceLocation
@_exported public import struct Primitives.SystemRandomSource
@_exported public import struct Primitives.SystemTimeSource
@_exported public import protocol Primitives.TimeSource
@_exported public import struct Primitives.Timestamp
@_exported public import struct SecureChannel.PublishedKeys
@_exported public import struct SecureChannel.Receipt
@_exported public import struct SecureChannel.ReceiptError
@_exported public import struct SecureChannel.VerifiedReceipt
@_exported public import enum Wire.DeviceDataField
@_exported public import enum Wire.DeviceDataGroup
@_exported public import enum Wire.DeviceDataValue
@_exported public import struct Wire.DisplayData
@_exported public import struct Wire.DisplayDataError
@_exported public import enum Wire.DisplayField
@_exported public import struct Wire.OrchestrationCommand
@_exported public import struct Wire.RefusalNotice
@_exported public import struct Wire.RefusalNoticeError
@_exported public import struct Wire.UnknownDisplayField
