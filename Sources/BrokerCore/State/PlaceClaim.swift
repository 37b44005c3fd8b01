/// Where a task was shown before this broker began, as its owner repeats it.
struct PlaceClaim {
    let place: Int?
    let cell: Int?
}
