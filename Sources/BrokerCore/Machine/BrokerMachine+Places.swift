import BusProtocol
import TaskTree

/// Places and cells: given once, told to the owner, kept until somebody else takes them.
extension BrokerMachine {
    /// Gives a child its place in its parent and its cell in its job.
    ///
    /// While the broker settles, only children that had a place get one. The others wait, so that
    /// none takes the place of a task whose keyframe is still on its way.
    mutating func place(_ view: TaskView) {
        guard let parent = view.parent, let job = view.job, var record = records[view.id],
            record.place == nil
        else { return }
        let claim = knownTasks.takeFact(\.claim, of: view.id)
        let isOver = view.state == .succeeded || view.state == .cancelled
        if claim == nil, sessions.isSettling { return }
        if let wanted = claim?.place { makeWay(at: wanted, of: parent, for: record, isOver) }
        if let wanted = claim?.place, board.places[parent, default: ChildPlaces()].claim(wanted) {
            record.place = wanted
        } else if isOver, claim?.place != nil {
            record.place = board.places[parent, default: ChildPlaces()].furtherPlace()
            record.placeUse = .free
        } else if !sessions.isSettling {
            record.place = board.places[parent, default: ChildPlaces()].assign()
        }
        if record.cell != nil {
            // The child has lost its place only.
        } else if let wanted = claim?.cell, board.jobs[job, default: JobRecord()].claimCell(wanted)
        {
            record.cell = wanted
        } else if !sessions.isSettling {
            record.cell = board.jobs[job, default: JobRecord()].assignCell()
        }
        record.descriptionStep = publication.stepNumber
        records[view.id] = record
        if let cell = record.cell { board.jobs[job]?.taskInCell[cell] = view.id }
        guard let place = record.place else { return }
        if let former = board.places[parent, default: ChildPlaces()].show(view.id, at: place) {
            // The ended child stays visible, behind all that is at work.
            let further = board.places[parent, default: ChildPlaces()].furtherPlace()
            _ = board.places[parent]?.show(former, at: further)
            records[former]?.place = further
            records[former]?.descriptionStep = publication.stepNumber
            if Topic.block(ofPlace: place) != Topic.block(ofPlace: further) {
                let topic = Topic.children(parent, block: Topic.block(ofPlace: place))
                publication.unpublished.displaced.append((former, topic))
            } else {
                publication.unpublished.described.append(former)
            }
            tell(former, place: further, cell: records[former]?.cell)
        }
        if place != claim?.place || record.cell != claim?.cell {
            tell(view.id, place: place, cell: record.cell)
        }
        usePlace(view)
        rehomeRow(of: view.reporter, job: job)
    }

    /// Frees the place where a former broker showed a child, if an ended child has it now.
    ///
    /// No journal says that a child took the place of an ended one. So the place goes to the child
    /// that still runs or, where both have ended, to the one that ended last.
    private mutating func makeWay(
        at place: Int,
        of parent: TaskID,
        for record: TaskRecord,
        _ isOver: Bool
    ) {
        guard let holder = board.places[parent]?.taskAt[place], let held = records[holder],
            held.placeUse == .held,
            !isOver || (held.statedEnd ?? 0) < (record.statedEnd ?? .infinity)
        else { return }
        freePlace(of: holder)
    }

    /// Notes what a child uses its place for, as its state may have changed.
    mutating func usePlace(_ view: TaskView) {
        if let number = records.number(of: view.id) { usePlace(of: view.id, number, view.state) }
    }

    /// Notes what the child whose record has this number uses its place for.
    mutating func usePlace(of id: TaskID, _ number: PoolNumber, _ state: TaskState) {
        let former = records[number].placeUse
        let use: PlaceUse =
            switch state {
            case .running, .paused, .cancelling: .running
            case .succeeded, .cancelled: former == .free ? .free : .held
            case .failed, .lost: former == .free ? .free : .kept
            case .waiting: .kept
            }
        guard use != former, let place = records[number].place,
            let parent = records[number].parent
        else { return }
        board.crowdedParents.insert(parent)
        // The child is at work again before another one has taken its place.
        if former == .free { _ = board.places[parent]?.claim(place) }
        board.places[parent]?.change(id, from: former, to: use)
        records[number].placeUse = use
    }

    /// Lets other children take the places of ended ones, but for those that ended last.
    ///
    /// So a pool that runs thousands of short children, one after another, keeps to the first
    /// places, which are those on a screen. Children that begin in one step do not take each
    /// other's places: ended children that a new broker hears of stay visible.
    mutating func thinOutPlaces() {
        for parent in board.crowdedParents {
            while let longest = board.places[parent]?.takeTooMany() { freePlace(of: longest) }
        }
        board.crowdedParents = []
    }

    /// Notes that the owner of a task has to be told where it is shown.
    private mutating func tell(_ id: TaskID, place: Int, cell: Int?) {
        board.placesToTell[id.session, default: []].append(
            ToldPlace(
                index: id.index,
                place: UInt32(clamping: place),
                cell: UInt32(clamping: cell ?? 0)
            )
        )
    }

    mutating func tellPlaces() {
        for (id, places) in board.placesToTell {
            guard let session = sessions[id], session.isPresent, session.isWelcomed,
                let route = session.route
            else { continue }
            for portion in places.portions(of: configuration.frameBytes) {
                var message = WirePlaces()
                message.index = portion.map(\.index)
                message.place = portion.map(\.place)
                message.cell = portion.map(\.cell)
                send(.places(message), to: route)
            }
        }
        board.placesToTell = [:]
    }

    /// A session has come back on a new connection: it may have missed what it was told.
    mutating func tellAllPlaces(of id: SessionID) {
        for reporter in tree.reporters(of: id) {
            guard let record = records[reporter], let place = record.place else { continue }
            tell(reporter, place: place, cell: record.cell)
        }
        tellPlaces()
    }

    /// Lets others take the place of an ended child; it is shown there until one does.
    mutating func freePlace(of id: TaskID) {
        guard let record = records[id], let place = record.place,
            let parent = record.parent, board.places[parent]?.taskAt[place] == id,
            record.placeUse == .held || record.placeUse == .kept
        else { return }
        board.places[parent]?.change(id, from: record.placeUse, to: .free)
        records[id]?.placeUse = .free
        board.places[parent]?.release(place)
    }

    /// A task is gone: its place and its cell are free.
    mutating func unplace(_ id: TaskID, record: TaskRecord) {
        if let parent = record.parent, let place = record.place,
            board.places[parent]?.taskAt[place] == id
        {
            board.places[parent]?.hide(at: place)
            board.places[parent]?.change(id, from: record.placeUse, to: .free)
            board.places[parent]?.release(place)
        }
        if let job = record.job, let cell = record.cell,
            board.jobs[job]?.taskInCell[cell] == id
        {
            board.jobs[job]?.taskInCell[cell] = nil
            board.jobs[job]?.releaseCell(cell)
        }
    }

    /// A task hangs elsewhere than before: a binding came, or an orphan's parent turned up.
    mutating func rehome(_ id: TaskID, changes: inout StepChanges, now: Moment) {
        guard let view = tree.view(id), let record = records[id] else { return }
        guard view.parent != record.parent || view.job != record.job else { return }
        changes.removed.append(RemovedTask(id: id, record: record, reason: "moved"))
        unplace(id, record: record)
        records[id]?.place = nil
        records[id]?.placeUse = .kept
        records[id]?.cell = nil
        if let slot = record.slot {
            release(slot, of: id)
            records[id]?.slot = nil
            forgetJob(id)
            tree.setAfterFailure(id, false)
            outbox.entries.append(.jobLeft(job: id))
        }
        records[id]?.parent = view.parent
        records[id]?.job = view.job
        if view.parent == nil { beginJob(view, now: now) } else { place(view) }
    }
}
