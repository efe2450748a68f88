// Guards that GitHub's Markdown is shown as on GitHub, with elements from a fixed list only; a link leads to the web,
// to mail, or nowhere.

import { describe, expect, it } from 'vitest'

import { pasteable } from '../../../src/page/lib/clipboard.ts'
import { whole } from './drawn.ts'

const OUT = 'target="_blank"'
const a = (href: string, text: string): string =>
  `<a href="${href}" rel="noopener noreferrer" ${OUT}>${text}</a>`

describe('Markdown', () => {
  it.each<[what: string, text: string, shown: string]>([
    ['paragraphs', 'one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    ['a hard break', 'one  \ntwo\\\nthree', '<p>one<br></br>two<br></br>three</p>'],
    [
      'headings, two levels down',
      '# a\n## b\n### c\n#### d\n###### e',
      '<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>',
    ],
    ['a setext heading', 'a\n===\n\nb\n---', '<h3>a</h3><h4>b</h4>'],
    [
      'emphasis',
      '*a* **b** ***c*** ~~d~~ `e`',
      '<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <del>d</del> <code>e</code></p>',
    ],
    ['marks inside words', 'snake_case_name 2*3*4', '<p>snake_case_name 2<em>3</em>4</p>'],
    ['escapes and entities', '\\*a\\* &amp; &lt;b&gt; &copy;', '<p>*a* &amp; &lt;b> ©</p>'],
    ['a tight list', '- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
    ['a loose list', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['a list from seven', '7. a\n8. b', '<ol start="7"><li>a</li><li>b</li></ol>'],
    [
      'tasks',
      '- [ ] a\n- [x] b\n- [X]c',
      `<ul><li class="task"><span class="task-mark" aria-label="To do"></span><div>a</div></li><li class="task"><span class="task-mark done" aria-label="Done"></span><div>b</div></li><li>[X]c</li></ul>`,
    ],
    [
      'a task in a loose list',
      '- [x] a\n\n- b',
      '<ul><li class="task"><span class="task-mark done" aria-label="Done"></span><div><p>a</p></div></li><li><p>b</p></li></ul>',
    ],
    ['a quote', '> a\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
    ['a line', 'a\n\n---\n\nb', '<p>a</p><hr></hr><p>b</p>'],
    ['a fence', '```ts title="x"\nconst a = 1\n```', '<code-block ts title="x">const a = 1\n</code-block>'],
    ['a fence in a fence', '````md\n```js\na\n```\n````', '<code-block md>```js\na\n```\n</code-block>'],
    [
      'a fence in a list',
      '1. a\n   ```\n   b\n   ```\n2. c',
      '<ol><li>a<code-block >b\n</code-block></li><li>c</li></ol>',
    ],
    ['indented code', 'a\n\n    b\n    c', '<p>a</p><code-block >b\nc\n</code-block>'],
    ['a fence without an end', '~~~\na', '<code-block >a</code-block>'],
    [
      'a table',
      '| a | b | c |\n|:--|:-:|--:|\n| 1 | **2** |\n',
      '<table><thead><tr><th class="left short">a</th><th class="center short">b</th><th class="right short">c</th></tr></thead><tbody><tr><td class="left">1</td><td class="center"><strong>2</strong></td><td class="right"></td></tr></tbody></table>',
    ],
    [
      'a bar in a cell',
      'a | b\n--|--\n`x\\|y` | z',
      '<table><thead><tr><th class="short">a</th><th class="short">b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td>z</td></tr></tbody></table>',
    ],
    ['a link', '[a *b*](https://example.com "c")', `<p>${a('https://example.com', 'a <em>b</em>')}</p>`],
    [
      'a link by its name, defined below',
      '[a][b]\n\n[b]: http://example.com/x',
      `<p>${a('http://example.com/x', 'a')}</p>`,
    ],
    [
      'bare addresses',
      'see https://example.com/a_b. and www.example.com',
      `<p>see ${a('https://example.com/a_b', 'https://example.com/a_b')}. and ${a('http://www.example.com', 'www.example.com')}</p>`,
    ],
    ['an e-mail address', 'to a@example.com', `<p>to ${a('mailto:a@example.com', 'a@example.com')}</p>`],
    [
      'a host with a path',
      'on example.com/docs',
      `<p>on ${a('http://example.com/docs', 'example.com/docs')}</p>`,
    ],
    [
      'names of files, and bare hosts',
      'README.md, main.rs, run.sh/x and example.com',
      '<p>README.md, main.rs, run.sh/x and example.com</p>',
    ],
    [
      'a URL as written, whatever its letters decode to',
      'https://xn--pypal-4ve.com/%E2%80%AEx or <https://xn--pypal-4ve.com/>',
      `<p>${a('https://xn--pypal-4ve.com/%E2%80%AEx', 'https://xn--pypal-4ve.com/%E2%80%AEx')} or ${a('https://xn--pypal-4ve.com/', 'https://xn--pypal-4ve.com/')}</p>`,
    ],
    [
      'the target of a link whose text names another host',
      '[my *bank.com*](https://evil.example/?d=1 "https://bank.com") [Node.js, bank.com/x](https://bank.com/y)',
      `<p>${a('https://evil.example/?d=1', 'my <em>bank.com</em> (evil.example)')} ${a('https://bank.com/y', 'Node.js, bank.com/x')}</p>`,
    ],
    ['no character that reverses the following text', 'a\u202Eb\u202C c', '<p>ab c</p>'],
    [
      'a URL in brackets',
      '<https://example.com>',
      `<p>${a('https://example.com', 'https://example.com')}</p>`,
    ],
    [
      'a picture, as a link',
      '![the *plan*](https://example.com/a.png)',
      `<p>${a('https://example.com/a.png', 'the *plan*')}</p>`,
    ],
    ['a link to a file', '[a](references/a.md)', '<p><span title="references/a.md">a</span></p>'],
    ['money', 'from $5 to $10, and $x^2$', '<p>from $5 to $10, and $x^2$</p>'],
    ['a formula as it is written', 'so \\(a_1 * b_2*\\) is', '<p>so <formula>a_1 * b_2*</formula> is</p>'],
    ['a formula on separate lines', '\\[\nx^2_1_\n\\]', '<formula displayed>x^2_1_</formula>'],
    ['brackets that are escaped', '- \\[ \\] *a* \\(b', '<ul><li>[ ] <em>a</em> (b</li></ul>'],
    ['emoji and other scripts', 'مرحبا 👋🏽 **你好**', '<p>مرحبا 👋🏽 <strong>你好</strong></p>'],
    ['carriage returns', 'a\r\n\r\nb\rc', '<p>a</p><p>b\nc</p>'],
    ['nothing', ' \n\n', ''],
  ])('shows %s', (_, text, shown) => {
    expect(whole(text)).toBe(shown)
  })

  it.each([
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)></p>'],
    ['<script>alert(1)</script>', '<p>&lt;script>alert(1)&lt;/script></p>'],
    ['<details open ontoggle=alert(1)>\n\na', '<p>&lt;details open ontoggle=alert(1)></p><p>a</p>'],
    ['[a](javascript:alert(1))', '<p><span title="javascript:alert(1)">a</span></p>'],
    ['[a](JaVaScRiPt:alert(1))', '<p><span title="JaVaScRiPt:alert(1)">a</span></p>'],
    ['[a](&#106;avascript:alert(1))', '<p><span title="javascript:alert(1)">a</span></p>'],
    [
      '[a](data:text/html,<script>alert(1)</script>)',
      '<p><span title="data:text/html,%3Cscript%3Ealert(1)%3C/script%3E">a</span></p>',
    ],
    [
      '[a](vbscript:x) [b](file:///etc/passwd) [c](//example.com) [d](#t=1)',
      '<p><span title="vbscript:x">a</span> <span title="file:///etc/passwd">b</span> <span title="//example.com">c</span> <span title="#t=1">d</span></p>',
    ],
    ['![a](javascript:alert(1))', '<p><span title="javascript:alert(1)">a</span></p>'],
    ['<javascript:alert(1)>', '<p><span title="javascript:alert(1)">javascript:alert(1)</span></p>'],
    ['[a]\n\n[a]: javascript:alert(1)', '<p><span title="javascript:alert(1)">a</span></p>'],
    ['[a](blob:https://example.com/x)', '<p><span title="blob:https://example.com/x">a</span></p>'],
  ])('makes nothing active of %s', (text, shown) => {
    expect(whole(text)).toBe(shown)
  })

  it('is copied without control characters for a terminal', () => {
    expect(pasteable('ls\u001b[201~\r\n\u0003\tx\u009b 你好\u200d')).toBe('ls[201~\n\tx 你好\u200d')
  })
})
