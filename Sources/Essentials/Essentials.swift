/// Exports FoundationEssentials, or Foundation on systems that do not have it alone.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
