// One TLS handshake by Go's crypto/tls. Arguments: a port of loopback, the host to verify, a PEM file of what is trusted.
// Writes "accepted" or what was wrong.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"time"
)

func main() {
	roots := x509.NewCertPool()
	data, err := os.ReadFile(os.Args[3])
	if err != nil || !roots.AppendCertsFromPEM(data) {
		fmt.Println("no certificates:", err)
		os.Exit(1)
	}
	dialer := &net.Dialer{Timeout: 120 * time.Second}
	connection, err := tls.DialWithDialer(dialer, "tcp", "127.0.0.1:"+os.Args[1],
		&tls.Config{RootCAs: roots, ServerName: os.Args[2]})
	if err != nil {
		fmt.Println("refused:", err)
		return
	}
	connection.Close()
	fmt.Println("accepted")
}
