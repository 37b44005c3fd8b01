/// A program and all its descendants, as receivers of signals.
package enum ProcessTree {
    /// Sends a signal to a program and its descendants.
    ///
    /// If the program leads a group, the group gets the signal as a whole, and descendants in other
    /// groups get it one by one. If it shares our group, all get it one by one, because the group
    /// has other members. Must not be called once the program's end is known: the pid may belong to
    /// another process by then.
    package static func send(_ signal: Int32, to program: Int32, leadsGroup: Bool) {
        let others = descendants(of: program)
        if leadsGroup {
            kill(-program, signal)
        } else {
            kill(program, signal)
        }
        for process in others where !leadsGroup || getpgid(process) != program {
            kill(process, signal)
        }
    }

    /// Whether a process of this group still runs, whoever its parent is.
    ///
    /// Zombies do not count.
    package static func isAlive(group: Int32) -> Bool {
        guard kill(-group, 0) == 0 || errno == EPERM else { return false }
        #if os(Linux)
        guard let processes = numbersOfFiles(in: "/proc") else { return true }
        return processes.contains { getpgid($0) == group && isAlive($0) == true }
        #else
        return true
        #endif
    }

    /// Whether a child process has ended, though its parent has not waited for it yet.
    ///
    /// False where the system does not tell.
    package static func hasEnded(_ process: Int32) -> Bool {
        // A process whose first thread has ended has the same state while other threads go on.
        isAlive(process) == false && (numbersOfFiles(in: "/proc/\(process)/task")?.count ?? 0) < 2
    }

    /// Nil where there is no such process, or the system does not say.
    private static func isAlive(_ process: Int32) -> Bool? {
        #if os(Linux)
        let text = String(decoding: contents(of: "/proc/\(process)/stat"), as: UTF8.self)
        // The state comes after the name, which may hold anything.
        let state = text.split(separator: ")").last?.first { $0 != " " }
        return state.map { $0 != "Z" && $0 != "X" }
        #else
        return nil
        #endif
    }

    /// Everything below a process, parents before children; nothing where the system does not say.
    package static func descendants(of process: Int32) -> [Int32] {
        var found: [Int32] = []
        var waiting = [process]
        // The bound ends the search if processes are started faster than it finds them.
        while let next = waiting.popLast(), found.count < 10_000 {
            let children = children(of: next)
            found += children
            waiting += children
        }
        return found
    }

    private static func children(of process: Int32) -> [Int32] {
        #if os(Linux)
        let tasks = "/proc/\(process)/task"
        return (numbersOfFiles(in: tasks) ?? []).flatMap { task in
            contents(of: "\(tasks)/\(task)/children").split(separator: UInt8(ascii: " "))
                .compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        }
        #else
        return []
        #endif
    }

    private static func contents(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            while text.count < 1 << 20 {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                text += buffer.prefix(count)
            }
        }
        return text
    }
}

/// The files of a directory whose names are numbers, as processes and descriptors have them; `nil`
/// where it cannot be read.
func numbersOfFiles(in path: String) -> [Int32]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var numbers: [Int32] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
}
