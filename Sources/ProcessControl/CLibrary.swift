// Whoever starts processes calls the C library, too.
@_exported public import CLibrary
