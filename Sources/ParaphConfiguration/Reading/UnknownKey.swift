/// A key that its section does not have, and the words on it. What is not one of the file's own words is not repeated:
/// it may be a secret.
struct UnknownKey {
    let name: String
    /// The section that it stands in.
    let place: Value
    /// The keys that the section has.
    let known: [String]

    var message: String {
        let words = "unknown key"
        if let character = ForeignCharacter.blank(in: name) {
            return "\(words) with \(character) in it\(inPlace); type a blank instead"
        }
        // What follows a colon without a blank, or a blank without a colon, was meant for a value, perhaps a secret
        // one.
        if let end = name.firstIndex(where: { $0 == ":" || $0 == " " }) {
            let beginning = String(name[..<end])
            let word = ShownName.word(beginning, near: known.first { $0 == beginning })
            return "\(words) that starts with \(word)\(inPlace); is the colon missing, or the blank after it?"
        }
        if let near = NearestWord.to(name, among: known) ?? SettingWords.key(of: known, with: name) {
            return "\(words) \(ShownName.word(name, near: near))\(inPlace); did you mean \(near)?"
        }
        if let remark = SettingWords.remarks[name] { return "\(words) \(shown(name))\(inPlace); \(remark)" }
        let key = SettingWords.synonyms[name] ?? name
        if key != name, known.contains(key) { return "\(words) \(shown(name))\(inPlace); did you mean \(key)?" }
        if SettingWords.isKey(key) {
            let calling = key == name ? "it" : "\(key), which it probably is,"
            return "\(words) \(shown(name))\(inPlace); \(calling) belongs \(destination(of: key))"
        }
        if known.isEmpty { return "\(words) \(ShownName.hidden)\(inPlace), which has no keys; remove it" }
        return "\(words) \(ShownName.hidden)\(inPlace); known here: \(Set(known).sorted().joined(separator: ", "))"
    }

    private var inPlace: String { place.path.isEmpty ? "" : " in \(place.path)" }

    private func destination(of key: String) -> String {
        let sections = SettingWords.sections(of: key, near: place.sectionName)
        return alternatives(
            sections.map { section in
                section.isEmpty ? "to the first level, beside apis, without indentation" : "in \(place.named(section))"
            }
        )
    }
}
