/// FoundationEssentials, or Foundation on systems that do not have it alone. A file that imports this
/// module can use it.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
