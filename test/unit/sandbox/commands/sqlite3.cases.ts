// What sqlite3 3.40.1 printed for these command lines and inputs; null: refused here.

import type { Row } from './table.ts'

export const SQLITE_FILES = {
  't.csv': 'a,b\n1,"x ""y"\n2\n3,4,5\n',
  's.sql':
    "create table a(x);create view v as select x,1 as y from a;create index i1 on a(x);insert into a values(1.5),(null),(x'01ff'),('a\nb''c');\n",
}

export const SQLITE_CASES: readonly Row[] = [
  ["sqlite3 | :memory: | select 1, 'a b', null", '', 0, '1|a b|\n'],
  [
    "sqlite3 | -csv | :memory: | select 1,'a b','x\"y',null,'','é',2.50",
    '',
    0,
    '1,"a b","x""y",,"","é",2.5\n',
  ],
  ['sqlite3 | -csv | -header | :memory: | select 1 as "a b",2 as b', '', 0, '"a b",b\n1,2\n'],
  ['sqlite3 | :memory:', '.mode csv\n.headers on\nselect 1 as a,2 as b;\n', 0, 'a,b\r\n1,2\r\n'],
  ["sqlite3 | -column | :memory: | select 1 as a,'xx' as bb", '', 0, '1  xx\n'],
  [
    "sqlite3 | -header | -column | :memory: | select 1 as a,'xx' as bb, null as c union all select 100,'é€','z'",
    '',
    0,
    'a    bb  c\n---  --  -\n1    xx   \n100  é€  z\n',
  ],
  [
    'sqlite3 | :memory:',
    '.mode column\n.width 3 -6\nselect 1234567 as a, 12.5 as longname;\n',
    0,
    'a    longna\n---  ------\n123    12.5\n456        \n7          \n',
  ],
  [
    "sqlite3 | -json | :memory: | select 1 as a, 'x' b, null c union all select 2.5,'\"\\',3",
    '',
    0,
    '[{"a":1,"b":"x","c":null},\n{"a":2.5,"b":"\\"\\\\","c":3}]\n',
  ],
  ['sqlite3 | -json | :memory: | select 1 where 0', '', 0, ''],
  ["sqlite3 | -quote | :memory: | select 2.5, x'41ff', 'it''s', null", '', 0, "2.5,X'41ff','it''s',NULL\n"],
  [
    "sqlite3 | -box | :memory: | select 1 as a, 'xyz' as bb union all select 22222, null",
    '',
    0,
    '┌───────┬─────┐\n│   a   │ bb  │\n├───────┼─────┤\n│ 1     │ xyz │\n│ 22222 │     │\n└───────┴─────┘\n',
  ],
  [
    "sqlite3 | -table | :memory: | select 1 as a, 'x\ny' as bb union all select 2,3",
    '',
    0,
    '+---+----+\n| a | bb |\n+---+----+\n| 1 | x  |\n|   | y  |\n+---+----+\n| 2 | 3  |\n+---+----+\n',
  ],
  [
    "sqlite3 | -markdown | :memory: | select 1 as a, 'xyz' as bb",
    '',
    0,
    '| a | bb  |\n|---|-----|\n| 1 | xyz |\n',
  ],
  [
    "sqlite3 | -line | :memory: | select 1 as a, 'xyz' as bbbbbbbbb union all select 2,null",
    '',
    0,
    '        a = 1\nbbbbbbbbb = xyz\n\n        a = 2\nbbbbbbbbb = \n',
  ],
  [
    "sqlite3 | -html | -header | :memory: | select 1 as a, '<&>' as b",
    '',
    0,
    '<TR><TH>a</TH>\n<TH>b</TH>\n</TR>\n<TR><TD>1</TD>\n<TD>&lt;&amp;&gt;</TD>\n</TR>\n',
  ],
  ["sqlite3 | -tabs | -header | :memory: | select 1 as a, 'q' as b", '', 0, 'a\tb\n1\tq\n'],
  ['sqlite3 | -list | -separator | ; | -nullvalue | NULL | :memory: | select null, 2', '', 0, 'NULL;2\n'],
  ['sqlite3', 'select 1;\nselec 2;\nselect 3;\n', 1, '1\n3\n'],
  ['sqlite3 | -bail', 'select 1;\nselec 2;\nselect 3;\n', 1, '1\n'],
  ['sqlite3 | :memory: | create table t(a unique);insert into t values(1),(1)', '', 19, ''],
  ['sqlite3 | -foo', '', 1, ''],
  [
    'sqlite3',
    '.import --csv t.csv t\n.schema\n.mode quote\nselect * from t;\n',
    0,
    "CREATE TABLE IF NOT EXISTS \"t\"(\n\"a\" TEXT, \"b\" TEXT);\n'1','x \"y'\n'2',NULL\n'3','4'\n",
  ],
  [
    'sqlite3',
    '.read s.sql\n.tables\n.indexes\n.schema\n.dump\n',
    0,
    "a  v\ni1\nCREATE TABLE a(x);\nCREATE VIEW v as select x,1 as y from a\n/* v(x,y) */;\nCREATE INDEX i1 on a(x);\nPRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE a(x);\nINSERT INTO a VALUES(1.5);\nINSERT INTO a VALUES(NULL);\nINSERT INTO a VALUES(X'01ff');\nINSERT INTO a VALUES(replace('a\\nb''c','\\n',char(10)));\nCREATE VIEW v as select x,1 as y from a;\nCREATE INDEX i1 on a(x);\nCOMMIT;\n",
  ],
  ['sqlite3', ".mode insert tt\nselect 1,2.5,null,'q';\n", 0, "INSERT INTO tt VALUES(1,2.5,NULL,'q');\n"],
  ['sqlite3', '.print hello "a b"\n.quit\nselect 1;\n', 0, 'hello a b\n'],
  ['sqlite3', 'select 1;\n.exit 3\n', 3, '1\n'],
  ['sqlite3', '.nosuch\nselect 1;\n', 1, '1\n'],
  ['sqlite3', '-- comment\nselect 1; -- more\n/* x */\n# hash\nselect 2', 0, '1\n2\n'],
  ['sqlite3 | :memory: | explain query plan select 1', '', 0, 'QUERY PLAN\n`--SCAN CONSTANT ROW\n'],
  ['sqlite3 | none/x.db | select 1', '', 1, ''],
  ['sqlite3', '.backup x\n', null, ''],
  ['sqlite3', '.shell ls\n', null, ''],
  ['sqlite3', '.mode qbox\n', null, ''],
  ['sqlite3', '.show\n', null, ''],
  ['sqlite3', '.import "|ls" t\n', null, ''],
  ['sqlite3 | -ascii', '', null, ''],
  ['sqlite3 | -safe', '', null, ''],
  ['sqlite3 | :memory: | explain select 1', '', null, ''],
]
