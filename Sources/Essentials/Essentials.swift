/// The part of Foundation that is there by itself on some systems, else all of it: whoever imports
/// this module has it.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
