// Tells by Go's net/http what it received: the port goes to standard output, what comes then to whoever asks.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fields := [][2]string{
			{":method", r.Method}, {":scheme", "https"}, {":authority", r.Host}, {":path", r.RequestURI},
		}
		for name, values := range r.Header {
			for _, value := range values {
				fields = append(fields, [2]string{name, value})
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Trailer", "X-Mark")
		json.NewEncoder(w).Encode(map[string]any{
			"protocol": r.Proto, "fields": fields, "body": base64.StdEncoding.EncodeToString(body),
		})
		w.Header().Set("X-Mark", "go")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.ServeTLS(listener, nil, os.Args[1], os.Args[1]))
}
