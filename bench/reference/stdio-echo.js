// The least that answers on stdio. JavaScript, because Node needs time to strip types and this is about starting.
let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) process.stdout.write(`${JSON.stringify(JSON.parse(line))}\n`);
});
