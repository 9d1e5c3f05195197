import Glibc

/// The words for an `errno`.
enum SystemError {
    static func message(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file or directory"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the file system is read-only"
        case ENOSPC, EDQUOT: "there is no space left"
        case ENOTDIR: "a part of the path is not a directory"
        case EISDIR: "it is not a regular file"
        case ELOOP: "too many symbolic links"
        case EFBIG: "it is too large to be one"
        default: "error \(code)"
        }
    }
}
