import Synchronization

/// The state of the parts that must be ready before requests are served, for `/readyz`. Told by whoever makes a part
/// ready, asked by the admin listener.
package final class Readiness: Sendable {
    /// A part that must be ready before requests are served.
    package enum Part: String, Sendable, CaseIterable {
        case configuration
        case authority
        case vault
        case proxy
    }

    private let ready = Mutex<Set<Part>>([])
    private let probes: [Part: @Sendable () async -> Bool]

    /// - Parameter probes: The parts that are looked at anew each time, if they are ready otherwise.
    package init(probes: [Part: @Sendable () async -> Bool] = [:]) {
        self.probes = probes
    }

    package func set(_ part: Part, ready isReady: Bool) {
        ready.withLock { ready in
            if isReady { ready.insert(part) } else { ready.remove(part) }
        }
    }

    /// The parts that are not ready, in the order of ``Part``. Empty: requests are served.
    package var missing: [Part] {
        get async {
            let ready = ready.withLock { $0 }
            var missing: [Part] = []
            for part in Part.allCases {
                let isReady = ready.contains(part) ? await probes[part]?() ?? true : false
                if !isReady { missing.append(part) }
            }
            return missing
        }
    }
}
