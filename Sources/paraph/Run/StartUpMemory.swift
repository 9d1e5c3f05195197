import Files
import Glibc

/// Gives the memory back that only the start-up needed: most of what is resident then is the program's own code, which
/// the kernel maps in blocks of many pages around each one that is touched.
///
/// What is unsafe here is `madvise`. It is given the executable mappings of the program's own file alone, whose pages
/// are never written to: the kernel drops them and maps each again when it is next run. Other read-only mappings hold
/// addresses that the loader wrote, which would be lost.
enum StartUpMemory {
    /// The time after its start by which the proxy has read all it reads in the background.
    static let delay = Duration.milliseconds(500)

    static func giveBack() {
        guard let resolved = realpath("/proc/self/exe", nil) else { return }
        let program = String(cString: resolved)
        free(resolved)
        guard let maps = try? FileContents.read("/proc/self/maps") else { return }
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            guard let range = codeRange(line, of: program),
                let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            else { continue }
            // Where the kernel refuses, everything stays as it is.
            _ = madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// The addresses of a line of `/proc/self/maps` (proc(5)); `nil` unless it maps code of that file, unchanged.
    static func codeRange(_ line: some StringProtocol, of program: String) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }) == program else {
            return nil
        }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
