/// Something the demo has to say.
protocol DemoText {
    func write(to page: inout Page)
}
