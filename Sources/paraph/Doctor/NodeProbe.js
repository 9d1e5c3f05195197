const [url, account, seconds, mark] = process.argv.slice(1);
const headers = account ? { 'Paraph-Account': account } : {};
fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(seconds * 1000) })
  .then((response) => console.log(mark + response.status), (error) => {
    console.error(String(error.cause ?? error));
    process.exitCode = 1;
  });
