/// What a run has done, for its last line.
struct Tally {
    var rounds = 0
    var workers = 0
    var remoteWorkers = 0
    var workersKilled = 0
    var workersStopped = 0
    var brokers = 0
    var brokersKilled = 0
    var brokersStopped = 0
    var viewers = 0
    var viewersStopped = 0
    var hostileFrames = 0
    var fullDisks = 0
    var spooledFiles = 0
    var endings = 0
    var promised = 0
    var compared = 0
    var jobs = 0
    /// The most that a broker has ever had in use, in KiB, and the most at the end of a round.
    var peakMemory = 0
    var lastMemory = 0
    var violations: [String] = []

    func json(_ plan: ChaosPlan) -> String {
        #"{"seed":\#(plan.seed),"keys":\#(plan.hasKeys),"ssh":\#(plan.hasSSH),"seconds":\#(plan.seconds),"rounds":\#(rounds),"#
            + #""workers":\#(workers),"remoteWorkers":\#(remoteWorkers),"workersKilled":\#(workersKilled),"#
            + #""workersStopped":\#(workersStopped),"brokers":\#(brokers),"#
            + #""brokersKilled":\#(brokersKilled),"brokersStopped":\#(brokersStopped),"#
            + #""viewers":\#(viewers),"viewersStopped":\#(viewersStopped),"#
            + #""hostileFrames":\#(hostileFrames),"fullDisks":\#(fullDisks),"#
            + #""spooledFiles":\#(spooledFiles),"endings":\#(endings),"promised":\#(promised),"#
            + #""compared":\#(compared),"jobsCompared":\#(jobs),"peakMiB":\#(peakMemory / 1_024),"#
            + #""lastMiB":\#(lastMemory / 1_024),"boundMiB":\#(ChaosPlan.brokerMemory),"#
            + #""violations":\#(violations.count)}"#
    }
}
