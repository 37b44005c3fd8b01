import ChildProcesses
import OutputReading
import ProgressBus
import TaskTree

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ChildLoop {
    /// What poll(2) says of a descriptor that nobody reads any more.
    private static let gone = Int16(POLLERR | POLLHUP | POLLNVAL)

    mutating func pass(_ index: Int, reading: Int16, writing: Int16) {
        let relay = outputs[index].relay
        if writing & Self.gone != 0 { relay.closeSink() }
        if writing != 0 { relay.write() }
        // Also after the command's end, when what it has left is counted.
        guard reading != 0 || end != nil, relay.wantsToRead else { return }
        let bytes = relay.read()
        guard !bytes.isEmpty else { return }
        // First for the person; the bytes stay where they are until the next are read.
        relay.write()
        lastLines?.take(bytes)
        look(at: bytes, of: index)
        if outputs[index].pace.rests(after: bytes.count) {
            outputs[index].restsUntil = Moment.present.advanced(bySeconds: ReadCoalescer.rest)
        }
    }

    mutating func look(at bytes: UnsafeRawBufferPointer, of index: Int) {
        let count = outputs[index].sampler.take(bytes)
        if count > 0 {
            let now = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
            task.take(reader.read(now, from: outputs[index].stream))
        }
        wantTick()
    }

    mutating func wantTick() {
        let soon = Moment.present.advanced(bySeconds: Self.tick)
        nextTick = min(nextTick ?? soon, soon)
    }

    mutating func tellTick() {
        nextTick = nil
        // That nobody works here was the last word.
        guard !isSuspending else { return }
        for index in outputs.indices { outputs[index].pace.tick() }
        readTails()
        let now = Moment.present
        task.take(reader.tick(at: now))
        task.tell()
        if task.hasRead, !isWatchingReports {
            isWatchingReports = true
            watchReports()
        }
        if reader.awaitsTime, end == nil { nextTick = now.advanced(bySeconds: Self.slowTick) }
    }

    mutating func tellAll() {
        readTails()
        task.take(reader.finish())
    }

    mutating func readTails() {
        for index in outputs.indices {
            let tail = outputs[index].sampler.tick()
            guard !tail.isEmpty else { continue }
            let stream = outputs[index].stream
            let samples = tail.withUnsafeBytes { bytes in reader.read(bytes, from: stream) }
            task.take(samples)
        }
    }

    mutating func passInput(_ reading: Int16, writing: Int16) {
        guard let input else { return }
        if writing & Self.gone != 0 { input.closeSink() }
        input.write()
        guard reading != 0, input.wantsToRead else { return }
        guard terminal?.isForeground == true else {
            // Another job of the shell has it now, and what is typed is for that.
            terminal?.lose()
            return
        }
        let typed = input.read()
        let keys = command.terminal?.signalKeys ?? [:]
        for key in typed where keys[key] != nil {
            if keys[key] == SIGTSTP {
                machine.typedStop()
            } else {
                machine.typedInterrupt(at: .present)
            }
        }
        input.write()
    }
}
