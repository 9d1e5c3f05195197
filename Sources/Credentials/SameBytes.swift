/// Returns whether two texts are the same in UTF-8. `==` also takes for the same what is written otherwise and merely
/// looks alike (canonical equivalence), which is another account's name.
package func sameBytes(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
}
