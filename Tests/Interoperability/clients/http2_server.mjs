// A server that speaks HTTP/2 alone: /redirect leads to /end by the host's full URL, and everything else says what came.
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'

const pem = readFileSync(process.argv[2])
const server = createSecureServer({ key: pem, cert: pem, allowHTTP1: false }, (request, response) => {
  const { ':authority': authority, ':path': path, authorization } = request.headers
  request.resume()
  request.on('end', () => {
    if (path === '/redirect') {
      response.writeHead(302, { location: `https://${authority}/end`, 'set-cookie': `a=1; Domain=${authority}` })
      response.end()
    } else {
      response.end(JSON.stringify({ version: request.httpVersion, path, authority, authorization }))
    }
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
