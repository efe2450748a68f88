// The input files for generated scripts.

export const INPUT: ReadonlyMap<string, Uint8Array> = new Map(
  Object.entries({
    'words.txt': 'apple\nbanana\ncherry\napple\nApple\ndate\n\nbanana\nelder berry\nfig\n',
    'table.csv': 'id,name,amount\n3,ana,10.5\n1,bob,7\n2,"cy, d",100\n10,eve,-3\n3,ana,10.5\n',
    'log.txt':
      '12:01 INFO  start the job\n12:02 WARN disk at 91%\n12:03 ERROR   code=42 failed\n12:03 INFO the end\n9 8 7\n',
    'utf8.txt': 'Zürich 12\nÅrhus 3\nnaïve café\n東京 5\nplain 100\n',
    'empty.txt': '',
    'nonl.txt': 'first\nsecond line\nlast without end',
    'files/a.txt': '1\n',
    'files/b.txt': '2\n',
    'files/c.md': '3\n',
    'files/.hidden': 'h\n',
    'files/Abc': 'A\n',
    'files/d/e.txt': 'e\n',
    'files/d/f/g.txt': 'g\n',
  }).map(([path, text]) => [path, new TextEncoder().encode(text)]),
)
