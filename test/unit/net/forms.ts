// Spellings of addresses that nobody outside may reach. Each is a whole URL; H stands for the host of the test's
// server.

import { hostname } from 'node:os'

const LOOPBACK = `
127.0.0.1 127.0.0.1. 127.1 127.0.1 127.0.0.2 127.1.2.3 127.255.255.254 2130706433 0x7f000001 0x7F000001 0X7f000001
017700000001 0177.0.0.1 0177.0.0.01 0177.0.1 0177.1 0x7f.0.0.1 0x7f.0x0.0x0.0x1 0x7f.1 0x7f.0.1 127.0x1 127.0.0x01
0x00007f.0x0.1 00000177.00.00.01 127.00000.000000.1 127%2e0%2e0%2e1 %31%32%37.0.0.1 １２７.０.０.１ 127。0。0。1
①②⑦.⓪.⓪.① 127.0.0.1%2e 0 0.0.0.0 00 0x0 0.0 0000.0000 000000000000 [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001]
[::0001] [0::1] [::] [0:0:0:0:0:0:0:0] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001]
[0:0:0:0:0:ffff:127.0.0.1] [0000::ffff:127.0.0.1] [::ffff:0.0.0.0] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1]
[64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:0001::1] [2001:0:7f00:1::] [2001::7f00:1]
`
const PRIVATE = `
10.0.0.1 10.255.255.255 10.1 0xa.1 012.0.0.1 167772161 0x0a000001 10.0.0.1. 172.16.0.1 172.31.255.255 172.20.1
2886729729 0xac100001 192.168.0.1 192.168.1 192.168.255.254 3232235521 0xc0a80001 0300.0250.0.1 100.64.0.1 100.127.255.254
100.100.100.200 1684300900 169.254.0.1 169.254.169.254 169.254.170.2 169.254.169.253 2852039166 0xa9fea9fe
0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe 169.254.43518 169.16689662 ⑯⑨.254.⑯⑨.254 168.63.129.16 192.0.0.1
192.0.0.192 192.0.2.1 198.18.0.1 198.19.255.254 198.51.100.7 203.0.113.9 192.88.99.1 224.0.0.1 239.255.255.250
233.252.0.1 240.0.0.1 255.255.255.255 4294967295 0xffffffff 037777777777 0.1.2.3 [fc00::1] [fd00::1] [fd00:ec2::254]
[fdff:ffff::1] [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [ff02::1] [ff0e::1] [::ffff:10.0.0.1] [::ffff:a00:1]
[::ffff:192.168.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::10.0.0.1] [64:ff9b::10.0.0.1]
[64:ff9b::a9fe:a9fe] [2002:a00:1::1] [2002:c0a8:1::] [2002:a9fe:a9fe::] [100::1] [2001:db8::1] [2001:20::1]
[2001:10::1] [3fff::1] [5f00::1] [4000::1] [e000::1]
`
const BARE = '1.1.1.1 8.8.8.8 134744072 0x08080808 93.184.216.34 [2606:4700:4700::1111] [2a00:1450:4001::1]'
const NAMES = `
localhost LOCALHOST localhost. LocalHost. localhost%2e ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc%61lhost localhost.localdomain a.localhost
b.a.localhost. localhost.local printer.local PRINTER.LOCAL. metadata metadata.google.internal metadata.google.internal.
instance-data computeMetadata kubernetes kubernetes.default.svc kubernetes.default.svc.cluster.local host.docker.internal
gateway.docker.internal wpad router router.lan nas.home db.corp db.intranet api.private mail.mail 1.0.0.127.in-addr.arpa
x.home.arpa facebookcorewwwi.onion name.alt shop.test ip6-localhost ip6-loopback broadcasthost a..b .example.com
127.0.0.1.nip.io 7f000001.nip.io 10-0-0-1.sslip.io app.10.8.0.1.xip.io localtest.me sub.localtest.me. lvh.me x.lvh.me vcap.me
lacolhost.com local.gd app.local.gd localhost.direct x.traefik.me 127.0.0.1.fuf.me
`
const split = (text: string): string[] => text.trim().split(/\s+/)

/** Hosts that are not public, with any port and scheme. */
export const HOSTS: readonly string[] = [
  ...split(LOOPBACK),
  ...split(PRIVATE),
  ...split(BARE),
  ...split(NAMES),
  // The machine's own name. With dots in it, it may be public, and the connection decides.
  ...(hostname().includes('.') ? [] : [hostname(), `${hostname()}.`, hostname().toUpperCase()]),
  // Names that are too long or invalid.
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(127)}com`,
  'a$b.example.com',
  '-a.example.com',
  'a-.example.com',
]

/** Whole URLs that are refused in any case. */
export const URLS: readonly string[] = [
  'data:text/html,<h1>hi</h1>',
  'data:,x',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'FILE:/etc/passwd',
  'ftp://ftp.example.com/x',
  'javascript:fetch("http://127.0.0.1/")',
  'blob:https://example.com/3f1c',
  'ws://example.com/',
  'wss://example.com/',
  'gopher://example.com/_x',
  'dict://127.0.0.1:11211/stat',
  'about:blank',
  'ldap://example.com/',
  'jar:https://example.com!/',
  'view-source:https://example.com/',
  'mailto:a@example.com',
  'example.com',
  '//example.com/',
  '/etc/passwd',
  '',
  'https://',
  'https:///',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[::1',
  'https://1.2.3.4.5/',
  'https://256.0.0.1/',
  'https://0x100000000/',
  'https://a b.example.com/',
  'http://example.com/',
  'HTTP://example.com/',
  'http://example.com:443/',
  'https://example.com:80/',
  'https://example.com:8443/',
  'https://example.com:22/',
  'https://example.com:65535/',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://:password@example.com/',
  'https://user%40x:p@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com:443@127.0.0.1/',
  'https://127.0.0.1\\@example.com/',
  'https://127.0.0.1#@example.com/',
  'https://127.0.0.1?@example.com/',
  'https:\\\\127.0.0.1\\',
  'https:127.0.0.1',
  'https:/127.0.0.1',
  'ht\ntps://127.0.0.1/',
  ' https://127.0.0.1/ ',
  'https://127.0.\t0.1/',
  `https://example.com/${'a'.repeat(9_000)}`,
]
