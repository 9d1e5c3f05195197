'use strict';
// Made by paraph: HTTP_PROXY, HTTPS_PROXY and NO_PROXY for a Node that does not read them.
(() => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const since = (a, b) => major > 24 || (major === 24 && minor >= a) || (major === 22 && minor >= b);
  const mark = Symbol.for('paraph.proxy');
  if (process[mark] || process.versions.bun || process.versions.deno) return;
  process[mark] = true;
  const isNative = process.env.NODE_USE_ENV_PROXY === '1';
  const key = Symbol.for('undici.globalDispatcher.1');
  const nativeFetch = isNative && since(0, 21) ? globalThis.fetch : undefined;
  if (nativeFetch) {
    // It reads the variables itself, but tunnels to port 80, where nothing is signed. Node makes its dispatcher
    // only after this script.
    let isForwarding = false;
    globalThis.fetch = function fetch(...words) {
      const Native = globalThis[key]?.constructor;
      if (!isForwarding && Native?.name === 'EnvHttpProxyAgent') globalThis[key] = new Native({ proxyTunnel: false });
      isForwarding = true;
      return nativeFetch.apply(this, words);
    };
  }
  if (isNative && since(5, 21)) return;

  const setting = (name) => process.env[name] || process.env[name.toUpperCase()] || '';
  const parse = (text) => {
    try {
      const url = new URL(text);
      return ['http:', 'https:'].includes(url.protocol) ? url : null;
    } catch {
      return null;
    }
  };
  const proxies = { 'http:': parse(setting('http_proxy')), 'https:': parse(setting('https_proxy')) };
  const bare = (host) => host.toLowerCase().replace(/^\[|\]$/g, '');
  const exceptions = setting('no_proxy').split(/[\s,]+/).filter(Boolean).map((entry) => {
    const [, name, port] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) || [null, entry, undefined];
    return { name: bare(name).replace(/^\*?\./, ''), port };
  });
  const proxyFor = (protocol, host, port) => {
    const name = bare(host);
    const isExcepted = exceptions.some((entry) => entry.name === '*'
      || ((!entry.port || entry.port === String(port)) && (name === entry.name || name.endsWith('.' + entry.name))));
    return isExcepted ? null : proxies[protocol];
  };

  const http = require('node:http');
  const https = require('node:https');
  const net = require('node:net');
  const tls = require('node:tls');
  const isSecure = (proxy) => proxy.protocol === 'https:';
  const portOf = (proxy) => Number(proxy.port) || (isSecure(proxy) ? 443 : 80);
  const nameOf = (host) => (net.isIP(host) ? '' : host);
  const reach = (proxy) => {
    const [host, port] = [bare(proxy.hostname), portOf(proxy)];
    return isSecure(proxy) ? tls.connect({ host, port, servername: nameOf(host) }) : net.connect(port, host);
  };
  const isProxy = (host, port) => Object.values(proxies).some((proxy) => proxy !== null && isSecure(proxy)
    && bare(proxy.hostname) === host && portOf(proxy) === port);
  const authorization = (proxy) => proxy.username === '' ? {} : {
    'Proxy-Authorization': 'Basic ' + Buffer.from(
      decodeURIComponent(proxy.username) + ':' + decodeURIComponent(proxy.password)).toString('base64'),
  };
  const authority = (host, port) => (net.isIPv6(bare(host)) ? `[${bare(host)}]` : host) + ':' + port;

  // A TLS connection to a host, through the proxy: done(error) or done(null, socket).
  const tunnel = (proxy, options, done) => {
    const path = authority(options.host || options.hostname, options.port || 443);
    const connect = http.request({
      method: 'CONNECT', path, headers: { Host: path, ...authorization(proxy) }, createConnection: () => reach(proxy),
    });
    connect.once('error', done);
    connect.once('connect', (response, socket, head) => {
      connect.removeListener('error', done);
      if (response.statusCode !== 200) {
        socket.destroy();
        done(new Error(`the proxy answered CONNECT ${path} with ${response.statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      const { path: ignored, ...rest } = options;
      done(null, tls.connect({ ...rest, socket }));
    });
    connect.end();
  };

  class SecureAgent extends https.Agent {
    createConnection(options, done) {
      const proxy = options.socketPath ? null : proxyFor('https:', options.host || 'localhost', options.port || 443);
      if (!proxy) return super.createConnection(options, done);
      tunnel(proxy, options, done);
    }
  }
  class PlainAgent extends http.Agent {
    addRequest(request, options) {
      const host = options.host || 'localhost';
      const proxy = options.socketPath ? null : proxyFor('http:', host, options.port || 80);
      if (proxy && request.path.startsWith('/')) {
        const port = Number(options.port) || 80;
        const place = port === 80 ? authority(host, port).slice(0, -3) : authority(host, port);
        request.path = `http://${place}${request.path}`;
        // The head is made already, and waits to be sent, where the request expects 100 (Continue).
        const lines = Object.entries(authorization(proxy));
        if (request._header) {
          const added = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
          const first = /^(\S+) \S+( HTTP\/1\.1\r\n)/;
          const rewrite = (head) => head.replace(first, (line, method, end) => `${method} ${request.path}${end}${added}`);
          request._header = rewrite(request._header);
          const waiting = request.outputData?.[0];
          if (typeof waiting?.data === 'string') waiting.data = rewrite(waiting.data);
        } else {
          for (const [name, value] of lines) request.setHeader(name, value);
        }
      }
      super.addRequest(request, options);
    }
    createConnection(options, done) {
      const proxy = options.socketPath ? null : proxyFor('http:', options.host || 'localhost', options.port || 80);
      return proxy ? reach(proxy) : super.createConnection(options, done);
    }
  }
  https.globalAgent = new SecureAgent({ ...https.globalAgent.options });
  http.globalAgent = new PlainAgent({ ...http.globalAgent.options });

  if (typeof fetch !== 'function' || nativeFetch) return;
  // Its dispatcher is made when it is first used; that one's class is not to be had in another way.
  fetch('data:,').catch(() => {});
  const Agent = globalThis[key]?.constructor;
  if (Agent?.name !== 'Agent') return;
  const connect = (options, done) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    if (options.protocol !== 'https:') {
      const socket = net.connect(port, bare(options.hostname));
      socket.once('connect', () => done(null, socket)).once('error', done);
      return;
    }
    const host = bare(options.hostname);
    // Nothing leads to the proxy itself through it, and the name that is given for it is the one in the field Host.
    const isOwn = isProxy(host, port);
    const servername = (!isOwn && options.servername) || nameOf(host);
    const secure = { host, port, servername, ALPNProtocols: ['http/1.1'] };
    const finish = (error, socket) => {
      if (error) return done(error);
      socket.once('error', done).once('secureConnect', () => {
        socket.removeListener('error', done);
        done(null, socket);
      });
    };
    const proxy = isOwn ? null : proxyFor('https:', host, port);
    if (proxy) tunnel(proxy, secure, finish);
    else finish(null, tls.connect(secure));
  };
  class ProxyingAgent extends Agent {
    dispatch(options, handler) {
      const url = new URL(String(options.origin));
      const proxy = url.protocol === 'http:' && proxyFor('http:', url.hostname, url.port || 80);
      if (!proxy) return super.dispatch(options, handler);
      const more = { host: url.host, ...authorization(proxy) };
      const headers = Array.isArray(options.headers)
        ? [...options.headers, ...Object.entries(more).flat()] : { ...options.headers, ...more };
      const origin = `${proxy.protocol}//${proxy.host}`;
      return super.dispatch({ ...options, origin, path: url.origin + options.path, headers }, handler);
    }
  }
  globalThis[key] = new ProxyingAgent({ connect });
})();
