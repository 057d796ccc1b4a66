// What a user of this module has to be able to name although it is defined below it.
@_exported public import enum Primitives.Blame
@_exported public import protocol Primitives.Redacted
@_exported public import struct Primitives.SecretBytes
@_exported public import struct Primitives.SourceLocation
@_exported public import struct Primitives.TextDecodingError
@_exported public import struct Primitives.Timestamp
