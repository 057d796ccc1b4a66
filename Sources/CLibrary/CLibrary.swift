// The C library of the system, under one name. Other targets import CLibrary instead of choosing a module, and write
// `CLibrary.read` where a name of their own hides that of the C library.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#endif
