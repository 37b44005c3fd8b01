import BusProtocol
import TaskTree

/// Places and cells: given once, told to the owner, kept until somebody else takes them.
extension BrokerMachine {
    /// Gives a child its place in its parent and its cell in its job.
    ///
    /// While the broker settles only those get one who had one: the others wait, so that nobody
    /// takes the place of a task whose keyframe is still on its way.
    mutating func place(_ view: TaskView) {
        guard let parent = view.parent, let job = view.job, var record = records[view.id],
            record.place == nil
        else { return }
        let claim = claims.removeValue(forKey: view.id)
        if claim == nil, isSettling { return }
        if let wanted = claim?.place, places[parent, default: ChildPlaces()].claim(wanted) {
            record.place = wanted
        } else if !isSettling {
            record.place = places[parent, default: ChildPlaces()].assign()
        }
        if let wanted = claim?.cell, jobRecords[job, default: JobRecord()].claimCell(wanted) {
            record.cell = wanted
        } else if !isSettling {
            record.cell = jobRecords[job, default: JobRecord()].assignCell()
        }
        record.descriptionStep = stepNumber
        records[view.id] = record
        if let cell = record.cell { jobRecords[job]?.taskInCell[cell] = view.id }
        guard let place = record.place else { return }
        if let former = places[parent]?.taskAt.updateValue(view.id, forKey: place),
            former != view.id
        {
            records[former]?.place = nil
            records[former]?.descriptionStep = stepNumber
            unpublished.displaced.append((former, parent, place))
        }
        if place != claim?.place || record.cell != claim?.cell {
            tell(view.id, place: place, cell: record.cell)
        }
    }

    /// Notes that the owner of a task has to be told where it is shown.
    private mutating func tell(_ id: TaskID, place: Int, cell: Int?) {
        var message = placesToTell[id.session] ?? WirePlaces()
        message.index.append(id.index)
        message.place.append(UInt32(clamping: place))
        message.cell.append(UInt32(clamping: cell ?? 0))
        placesToTell[id.session] = message
    }

    mutating func tellPlaces() {
        for (id, message) in placesToTell {
            guard let session = sessions[id], session.isPresent, session.isWelcomed,
                let route = session.route
            else {
                continue
            }
            send(.places(message), to: route)
        }
        placesToTell = [:]
    }

    /// A session has come back on a new connection: it may have missed what it was told.
    mutating func tellAllPlaces(of id: SessionID) {
        for reporter in tree.reporters(of: id) {
            guard let record = records[reporter], let place = record.place else { continue }
            tell(reporter, place: place, cell: record.cell)
        }
        tellPlaces()
    }

    /// A succeeded or cancelled child keeps its place for a while, then others may take it.
    mutating func holdPlace(_ view: TaskView, now: Moment) {
        guard records[view.id]?.place != nil, let parent = view.parent else { return }
        let expected = Int(clamping: tree.view(parent)?.description.expectedChildren ?? 0)
        let running = tree.view(parent)?.counts.running ?? 0
        let isCrowded = running > max(8, expected)
        timers.add(
            .place(view.id),
            at: now.advanced(
                bySeconds: isCrowded
                    ? configuration.placeHeldWhenCrowded : configuration.placeHeld
            )
        )
    }

    /// Lets others take the place of an ended child; it is shown there until one does.
    mutating func freePlace(of id: TaskID) {
        guard let record = records[id], let place = record.place, let parent = parentOf[id],
            places[parent]?.taskAt[place] == id, tree.state(of: id)?.isEnded == true
        else { return }
        places[parent]?.release(place)
    }

    /// A task is gone: its place and its cell are free.
    mutating func unplace(_ id: TaskID, record: TaskRecord) {
        if let parent = parentOf[id], let place = record.place, places[parent]?.taskAt[place] == id
        {
            places[parent]?.taskAt[place] = nil
            places[parent]?.release(place)
        }
        if let job = jobOf[id], let cell = record.cell, jobRecords[job]?.taskInCell[cell] == id {
            jobRecords[job]?.taskInCell[cell] = nil
            jobRecords[job]?.releaseCell(cell)
        }
    }

    /// A task hangs elsewhere than before: a binding came, or an orphan's parent turned up.
    mutating func rehome(_ id: TaskID, changes: inout StepChanges, now: Moment) {
        guard let view = tree.view(id), let record = records[id],
            view.parent != parentOf[id] || view.job != jobOf[id]
        else { return }
        changes.removed.append(
            RemovedTask(
                id: id,
                record: record,
                parent: parentOf[id],
                job: jobOf[id],
                reason: "moved"
            )
        )
        unplace(id, record: record)
        records[id]?.place = nil
        records[id]?.cell = nil
        if let slot = record.slot {
            slots.release(slot: slot)
            records[id]?.slot = nil
            jobRecords[id] = nil
            entries.append(.jobLeft(job: id))
        }
        parentOf[id] = view.parent
        jobOf[id] = view.job
        if view.parent == nil { beginJob(view, now: now) } else { place(view) }
    }
}
