// Types of Primitives that the public API of this module uses. Apps can name them with `import OneTimePassword` alone.
@_exported public import enum Primitives.Blame
@_exported public import protocol Primitives.CodedError
@_exported public import protocol Primitives.Redacted
@_exported public import struct Primitives.SecretBytes
@_exported public import struct Primitives.SourceLocation
@_exported public import struct Primitives.TextDecodingError
@_exported public import struct Primitives.Timestamp
