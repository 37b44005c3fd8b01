import ProcessControl

/// Waits for bytes and reads once; returns none at the end, `nil` if the read fails.
func readBytes(from descriptor: Int32, upTo count: Int) -> [UInt8]? {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        repeat {
            result = read(descriptor, buffer.baseAddress, count)
        } while result < 0 && (errno == EINTR || waits(for: POLLIN, on: descriptor))
        filled = max(result, 0)
    }
    return result < 0 ? nil : bytes
}

/// Writes all of the bytes; returns false, with the reason in `errno`, if that fails.
func writeBytes(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR, !waits(for: POLLOUT, on: descriptor) {
            return false
        }
    }
    return true
}

/// Waits for the descriptor if the last call failed only because it is non-blocking.
private func waits(for event: Int32, on descriptor: Int32) -> Bool {
    guard errno == EAGAIN else { return false }
    var item = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    _ = poll(&item, 1, -1)
    return true
}

/// read(2), for callers in a type that has a method of that name.
func readDescriptor(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

/// write(2), for callers in a type that has a method of that name.
func writeDescriptor(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// close(2), for callers in a type that has a method of that name.
func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
