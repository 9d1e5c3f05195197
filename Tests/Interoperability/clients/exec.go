// Knows nothing of a proxy or a CA: whatever the environment says. Arguments: addresses to get.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	for _, address := range os.Args[1:] {
		response, err := http.Get(address)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		io.Copy(io.Discard, response.Body)
		fmt.Println(response.StatusCode)
	}
}
