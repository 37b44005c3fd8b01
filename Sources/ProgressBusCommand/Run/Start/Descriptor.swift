import ProcessControl

/// read(2), for those who have a method of that name.
func readDescriptor(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

/// write(2), for those who have a method of that name.
func writeDescriptor(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// close(2), for those who have a method of that name.
func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}

enum Descriptor {
    /// How much may lie in a pipe of ours before its writer must wait; that of a terminal is less.
    static func room(of descriptor: Int32) -> Int {
        #if os(Linux)
        // F_GETPIPE_SZ, which Swift does not import.
        let size = fcntl(descriptor, 1_032)
        if size > 0 { return Int(size) }
        #endif
        return 16_384
    }
}
