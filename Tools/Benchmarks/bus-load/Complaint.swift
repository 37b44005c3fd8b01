/// Why it cannot go on, and the code to exit with.
struct Complaint: Error {
    let sentence: String
    let code: Int32

    init(_ sentence: String, code: Int32) {
        self.sentence = sentence
        self.code = code
    }
}
