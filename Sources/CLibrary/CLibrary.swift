/// The C library, which has another name on each system: whoever imports this module has it.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif
