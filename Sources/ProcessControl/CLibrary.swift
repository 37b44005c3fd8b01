// A file that imports ProcessControl can call the C library.
@_exported public import CLibrary
