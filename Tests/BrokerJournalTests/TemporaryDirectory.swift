import BrokerCore
import Foundation
import TaskTree

/// A directory of its own for one test; deleted with the value's last reference.
final class TemporaryDirectory {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "progressbus-journal-" + UUID().uuidString
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    var damaged: [String] {
        names.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    /// The bytes of a file below it.
    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(bytes).write(to: file)
    }
}

/// A session and its tasks, by small numbers.
func session(_ number: UInt64) -> SessionID {
    // The highest bit is set to show that unsigned ids survive signed columns.
    SessionID(rawValue: number | 1 << 63)
}

func task(_ index: UInt64, of number: UInt64 = 1) -> TaskID {
    TaskID(index: index, session: session(number))
}

func credential(_ byte: UInt8) -> [UInt8] {
    [UInt8](repeating: byte, count: 16)
}
