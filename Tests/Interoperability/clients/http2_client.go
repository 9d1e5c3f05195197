// Sends requests by Go's net/http through a proxy, all at once; standard input has them, standard output the answers.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
)

type request struct {
	Method  string
	Path    string
	Headers map[string]string
	Body    *string
}

type answer struct {
	Status   int               `json:"status"`
	Fields   [][2]string       `json:"fields"`
	Body     string            `json:"body"`
	Trailers map[string]string `json:"trailers"`
	protocol string
}

var job struct {
	Proxy, Host, CA string
	Requests        []request
}

func send(client *http.Client, one request) answer {
	var body io.Reader
	if one.Body != nil {
		data, _ := base64.StdEncoding.DecodeString(*one.Body)
		body = bytes.NewReader(data)
	}
	made, err := http.NewRequest(one.Method, "https://"+job.Host+one.Path, body)
	if err != nil {
		panic(err)
	}
	for name, value := range one.Headers {
		made.Header.Set(name, value)
	}
	found, err := client.Do(made)
	if err != nil {
		panic(err)
	}
	data, err := io.ReadAll(found.Body)
	if err != nil {
		panic(err)
	}
	told := answer{
		Status: found.StatusCode, Body: base64.StdEncoding.EncodeToString(data), Trailers: map[string]string{},
		protocol: found.Proto,
	}
	for name, values := range found.Header {
		for _, value := range values {
			told.Fields = append(told.Fields, [2]string{name, value})
		}
	}
	for name := range found.Trailer {
		told.Trailers[name] = found.Trailer.Get(name)
	}
	return told
}

func main() {
	if err := json.NewDecoder(os.Stdin).Decode(&job); err != nil {
		panic(err)
	}
	pem, err := os.ReadFile(job.CA)
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	proxy, err := url.Parse(job.Proxy)
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true,
	}}
	answers := make([]answer, len(job.Requests))
	// The first alone, so that the others find its connection.
	answers[0] = send(client, job.Requests[0])
	done := make(chan int)
	for n := 1; n < len(answers); n++ {
		go func(n int) { answers[n] = send(client, job.Requests[n]); done <- n }(n)
	}
	for n := 1; n < len(answers); n++ {
		<-done
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"protocol": answers[0].protocol, "answers": answers})
}
