/// A value that most exchanges never have, of the size of a pointer: it is on the heap.
///
/// The allocator is fastest for objects of at most 1 KiB, which an exchange therefore keeps to.
@propertyWrapper
struct Rare<Value> {
    private indirect enum Storage {
        case nothing
        case value(Value)
    }

    private var storage = Storage.nothing

    /// Indicates whether there is none, without a copy of it.
    var isNothing: Bool {
        if case .nothing = storage { true } else { false }
    }

    var wrappedValue: Value? {
        get {
            switch storage {
            case .nothing: nil
            case .value(let value): value
            }
        }
        set { storage = newValue.map(Storage.value) ?? .nothing }
    }
}
