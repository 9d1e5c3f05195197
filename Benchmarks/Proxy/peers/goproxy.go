// goproxy's part of the benchmark: it intercepts api.example.com, signs every request and keeps upstream connections.
// Usage: goproxy LISTEN UPSTREAM CA CERTIFICATE KEY
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/elazarl/goproxy"
)

const host = "api.example.com"

// escape is RFC 3986's percent-encoding as RFC 5849, section 3.6, has it.
func escape(text string) string {
	var escaped strings.Builder
	for index := 0; index < len(text); index++ {
		character := text[index]
		if character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z' || character >= '0' && character <= '9' ||
			strings.IndexByte("-._~", character) >= 0 {
			escaped.WriteByte(character)
		} else {
			fmt.Fprintf(&escaped, "%%%02X", character)
		}
	}
	return escaped.String()
}

func sign(request *http.Request) {
	nonce := make([]byte, 16)
	rand.Read(nonce)
	parameters := map[string]string{
		"oauth_consumer_key":     "benchConsumerKey",
		"oauth_nonce":            hex.EncodeToString(nonce),
		"oauth_signature_method": "HMAC-SHA1",
		"oauth_timestamp":        strconv.FormatInt(time.Now().Unix(), 10),
		"oauth_token":            "benchToken",
		"oauth_version":          "1.0",
	}
	var pairs []string
	add := func(values url.Values) {
		for name, list := range values {
			for _, value := range list {
				pairs = append(pairs, escape(name)+"="+escape(value))
			}
		}
	}
	add(request.URL.Query())
	if request.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		form, _ := url.ParseQuery(string(body))
		add(form)
	}
	var field strings.Builder
	field.WriteString("OAuth ")
	for _, name := range []string{
		"oauth_consumer_key", "oauth_nonce", "oauth_signature_method", "oauth_timestamp", "oauth_token", "oauth_version",
	} {
		pairs = append(pairs, escape(name)+"="+escape(parameters[name]))
		fmt.Fprintf(&field, "%s=\"%s\", ", name, escape(parameters[name]))
	}
	sort.Strings(pairs)
	base := request.Method + "&" + escape("https://"+host+request.URL.EscapedPath()) + "&" +
		escape(strings.Join(pairs, "&"))
	code := hmac.New(sha1.New, []byte("benchConsumerSecret&benchTokenSecret"))
	code.Write([]byte(base))
	signature := base64.StdEncoding.EncodeToString(code.Sum(nil))
	fmt.Fprintf(&field, "oauth_signature=\"%s\"", escape(signature))
	request.Header.Set("Authorization", field.String())
}

func main() {
	upstream := os.Args[2]
	roots := x509.NewCertPool()
	certificates, _ := os.ReadFile(os.Args[3])
	roots.AppendCertsFromPEM(certificates)
	leaf, err := tls.LoadX509KeyPair(os.Args[4], os.Args[5])
	if err != nil {
		log.Fatal(err)
	}
	proxy := goproxy.NewProxyHttpServer()
	dialer := &net.Dialer{}
	proxy.Tr = &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, upstream)
		},
		TLSClientConfig:     &tls.Config{RootCAs: roots},
		MaxIdleConns:        2000,
		MaxIdleConnsPerHost: 256,
		DisableCompression:  true,
	}
	// One certificate for all: made anew for every CONNECT, as is the default, it would be most of the work.
	configuration := &tls.Config{Certificates: []tls.Certificate{leaf}, NextProtos: []string{"http/1.1"}}
	intercept := &goproxy.ConnectAction{
		Action:    goproxy.ConnectMitm,
		TLSConfig: func(string, *goproxy.ProxyCtx) (*tls.Config, error) { return configuration, nil },
	}
	proxy.OnRequest().HandleConnectFunc(func(name string, _ *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
		return intercept, name
	})
	proxy.OnRequest().DoFunc(func(request *http.Request, _ *goproxy.ProxyCtx) (*http.Request, *http.Response) {
		request.URL.Scheme = "https"
		sign(request)
		return request, nil
	})
	log.Fatal(http.ListenAndServe(os.Args[1], proxy))
}
