import Foundation

/// A file system of some MiB in the place of a directory, which can be full; root on Linux only.
struct SmallDisk {
    let path: String

    /// `nil` where this user may not mount one.
    init?(at path: String) {
        #if os(Linux)
        guard getuid() == 0,
            mount("bus-chaos", path, "tmpfs", 0, "size=64m,mode=0700") == 0
        else { return nil }
        self.path = path
        #else
        return nil
        #endif
    }

    /// Takes all the room there is.
    func fill() {
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        for size in [65_536, 4_096, 512, 1] {
            let block = [UInt8](repeating: 1, count: size)
            while write(file, block, block.count) > 0 {}
        }
    }

    func makeRoom() {
        unlink(path + "/ballast")
    }

    func unmount() {
        #if os(Linux)
        umount2(path, Int32(MNT_DETACH))
        #endif
    }
}
