@_exported public import struct Primitives.AccountName
// What an adopter must be able to name with `import Orchestration` alone, by name.
@_exported public import enum Primitives.Blame
@_exported public import protocol Primitives.RandomSource
@_exported public import struct Primitives.SecretBytes
@_exported public import struct Primitives.SourceLocation
@_exported public import struct Primitives.SystemRandomSource
@_exported public import struct Primitives.SystemTimeSource
@_exported public import protocol Primitives.TimeSource
@_exported public import struct Primitives.Timestamp
@_exported public import struct Wire.OrchestrationCommand
