/// The commit that the program is built from, or "unknown".
const char *paraph_commit(void);
