/** What commands, calls, addresses and files of settings take as a secret. */
export interface Ways {
  /** What stands wherever one of the shapes does. */
  sign: RegExp;
  shapes: readonly RegExp[];
}

export const COMMANDS: readonly Ways[] = [
  {
    sign: /🔑|jwt\.|aes|hmac|fernet|cipher|secretkeyspec|PDO\(|schtasks|\w---\w*|oathtool|TOTP\(|auth|\.login\(|\.connect\(|cred\w{0,20}\(|pw_set\(|wifi\.begin|addAP\(|input text|xdotool|keystroke|pass\w{0,10}[^\n]{0,20}\)\.\w/i,
    shapes: [
      /(?<=\bjwt\.(?:sign|verify|encode|decode)\([^\n"']{1,80}, ?["'])[^"'\s]{8,200}/g,
      /(?<=\b(?:aes|hmac|fernet|cipher|secretkeyspec)\w{0,12}\(b?["'])[^"'\s]{8,200}(?=["'])/gi,
      /(?<=\bPDO\(["'][^"'\n]{1,160}["'], ?["'][^"'\n]{1,60}["'], ?["'])[^"'\n]{3,80}(?=["'])/g,
      /(?<=\bschtasks\b[^\n]{0,200}\/rp )[^\s"']{4,80}/gi,
      /(?<=(?:[号號][给給]|[账帐賬帳]|account|login)[^\n]{0,40}?[\w.@]{3,40}-{3,5})(?=[!-~]{0,40}\d)[^\s-][!-~]{4,60}/gi,
      /(?<=🔑\s?:?\s?)[!-~]{5,80}/gu,
      /(?<=\badb shell input text ["']?|\bxdotool type (?:--\S{1,20} \S{1,8} )?["']?|\bkeystroke ["'])[^\s"']{4,80}|(?<=pass\w{0,10}[^\n]{0,20}\)\.(?:type|send_?keys|fill|setValue|val)\(["'])[^"'\n]{3,80}/gi,
      /(?<=\boathtool\b[^\n]{0,40}? |\bTOTP\(["'])[A-Z2-7]{16,64}/g,
      /(?<=(?:\bauth=\(|Auth(?:entication)?\(|Cred\w{0,20}\(|pw_set\(|WiFi\.begin\(|addAP\(|\.(?:login|connect)\((?:["'][^"'\n]{1,80}["'], ?(?:\d{2,5}, ?)?)?)["'][^"'\n]{1,60}["'], ?["'])(?!(?:password|passwd|secret|token|pass)["'])[^"'\s]{4,80}(?=["'])/gi,
    ],
  },
  {
    sign: /@(?:tcp|unix)\(|getConnection\(|\bp(?:w|ass)?: ?\S|\bmm:|\bcreds?\b|(?:invit\w{2,5}|activation|redeem|licen[cs]e|gift) (?:code|key)|[邀激兑卡][请活换密]|auth(?:orization)? code|授|app(?:lication)?[ -](?:specific )?pass/i,
    shapes: [
      /(?<=\b[\w.-]{1,40}:)[^\s:@"'`/]{3,80}(?=@(?:tcp|unix)\()/g,
      /(?<=\bgetConnection\(["'][^"'\n]{1,200}["'], ?["'][^"'\n]{1,60}["'], ?["'])[^"'\s]{3,80}(?=["'])/g,
      /(?<=\b(?:u(?:ser)?|zh|[账帐]号):? ?\S{1,60}\s{1,4}(?:p(?:w|ass)?|mm): ?|\bcreds?\b[^\n:]{0,40}: ?[\w.@-]{1,40}\/)[!-~]{4,60}/gi,
      /(?<=(?:[邀激兑卡][请活换密][码碼]?|(?:invit\w{2,5}|activation|redeem|licen[cs]e|gift) (?:code|key))[^\n]{0,24}?)(?<![A-Z0-9-])(?=[A-Z0-9-]{0,20}\d)[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){2,5}(?![A-Z0-9-])/gi,
      /(?<=(?:授[权權][码碼]|auth(?:orization)? code|\bapp(?:lication)?[ -](?:specific )?password)[^\n。]{0,60})(?<![a-z])(?=[a-z]{0,12}[b-df-hj-np-tv-xz]{3})[a-z]{16}(?![a-z])/gi,
    ],
  },
  {
    sign: /> AUTH |\buser [\w.@-]+ \S|\/user:|(?:store|key)pass[ =]|\bpwd[A-Z\d]/i,
    shapes: [
      /(?<=> AUTH (?:[\w.-]{1,40} )?)[!-~]{6,100}(?=\n|$)/gi,
      /(?<=(?:^|\n)user [\w.@-]{1,60} )[!-~]{5,80}(?=\n|$)/g,
      /(?<=\bnet use [^\n"]{1,120}\s)[^\s"'/\\]{4,80}(?= \/user:)/gi,
      /(?<=-(?:src|dest)?(?:store|key)pass[ =](?:pass:)?["']?)[^\s"':]{4,80}/gi,
      /(?<=\bpwd)(?=[!-~]{0,40}\d)[A-Z\d][!-~]{5,40}/g,
    ],
  },
  {
    sign: /\blogin\s|\bnet user |chpasswd|\bas (?:the|your|its)\b|\bmm |\w \w \w \w \w/i,
    shapes: [
      /(?<=\blogin\s{1,8}\S{1,60}\s{1,8}password\s{1,8})[!-~]{4,100}/g,
      /(?<=\bnet user \S{1,40} )[^\s*/][^\s*]{3,80}/gi,
      /(?<=\becho ["']?[\w.-]{1,40}:)[^\s"'|]{4,80}(?=["']? ?\| ?(?:sudo )?chpasswd)/g,
      /(?<=\b(?:type|enter|use) ["'`]?)[^\s"'`]{5,64}(?=["'`]? as (?:the|your|its) (?:\w+ )?(?:password|passphrase|passcode|pin|code)\b)/gi,
      /(?<=(?<!\d ?)\bmm )(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z])[!-~]{5,60}/gi,
      /(?<=(?:passcode|password|code|口令|密[码碼])[^\n:]{0,60}: ?)[A-Za-z0-9](?: [A-Za-z0-9]){4,20}(?! ?[A-Za-z0-9])/gi,
    ],
  },
  {
    sign: /:\/\/|sqlplus|sqlcl|rman |\b(?:exp|imp)(?:dp)? |:\d{1,5}:|jdbc:|pwd=\{/i,
    shapes: [
      /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:)[^\s/"'<>]{1,200}(?=@[\w.[-])/gi,
      /(?<=\b[a-z0-9.-]{1,80}:\d{1,5}:[\w*-]{1,60}:[\w*-]{1,60}:)[^\s:"']{4,100}/gi,
      /(?<=\b(?:jdbc:oracle:\w{2,6}:|(?:sqlplus|expdp|impdp|sqlldr|sqlcl|rman|exp|imp)\b[^\n/@]{0,60})[^\s/@]{1,40}\/)[^\s@"']{3,100}(?=@)/gi,
      /(?<=\bpwd=\{)[^}\n]{3,100}(?=\})/gi,
      /(?<=\b(?:trojan|ss|vless|vmess|tuic|hysteria2?):\/\/)[^\s@/]{8,200}(?=@)/gi,
    ],
  },
  {
    sign: /\s["']?-[uwahpkPaA]|\bhtpasswd -|auth-user-pass|--(?:user|proxy-user|pass)|-passin|ConvertTo|sshpass|\| ?(?:sudo|docker|smbpasswd)|identified|snmp|net use|PlainAuth|(?:assword|assphrase|asscode|PIN)[^\n]{0,6}"|-[ik]=|[^\n]\s-p /i,
    shapes: [
      /(?<=(?:\s-u|--user|--proxy-user|\b(?:https?|xh|ab)\b[^\n]{0,80}? -[aA])[ =]{1,2}["']?[^\s:"']{1,80}:["']?)[^\s"']{3,200}/g,
      /(?<=\bhtpasswd -\w{0,6}b\w{0,6} \S{1,120} \S{1,60} ["']?)[^\s"']{4,80}|(?<=auth-user-pass <\(printf ["'][^\\'"\n]{1,60}\\n)[^\\'"\n]{4,60}/g,
      /(?<=\blftp\b[^\n]{0,120}\s-u [^\s,]{1,60},)\S{3,100}/g,
      /(?<=\b(?:mysql|mariadb)(?:-?(?:dump|admin|import))?\b[^\n]{0,160}\s-p["']?)[^\s"'-][^\s"']{2,100}/g,
      /(?<=\bsshpass -p ?["']?)[^\s"']{3,100}|(?<=\becho ["']?)[^\s"'|]{4,80}(?=["']? ?\| ?(?:sudo -S|docker login))/g,
      /(?<=\bsnmp(?:walk|get|set|bulkwalk)\b[^\n]{0,80}\s-c )[^\s"']{3,80}|(?<=\bsnmp-(?:server|agent) community (?:(?:read|write) )?(?:cipher )?)[^\s"']{4,80}/g,
      /(?<=\b(?:ldap\w{3,10}|smbclient|ipmitool|bcp|osql|redis-cli|psql|sqlcmd|htpasswd|useradd|chpasswd|openssl|zip|unzip|7z|rar|gpg|mongo\w{0,8}|cqlsh|clickhouse-client|influx|mcrcon)\b[^\n]{0,160}\s(?:-w|-a|-P|-p|-U\s?[^\s%]{1,60}%|-passin pass:|--pass(?:word)?=?)\s?["']?)[^\s"'-][^\s"']{3,100}/g,
      /(?<=\bidentified (?:with \S{1,40} )?(?:by|as) (?:password )?["'])[^"'\n]{3,100}(?=["'])/gi,
      /(?<=\bConvertTo-SecureString (?:-\w+ ){0,2}["'])[^"'\n]{3,100}(?=["'])/gi,
      /(?<=\bsnmp(?:walk|get|set|bulkwalk)\b[^\n]{0,160}\s-[AX] ["']?)[^\s"']{5,80}/g,
      /(?<=\bnet use [^\n"]{1,120}["'])[^"'\n]{4,80}(?=["'])|(?<=\bPlainAuth\([^\n)]{2,160}, ?["'])[^"'\n]{4,80}(?=["'], ?["'][\w.-]+["']\))/gi,
      /(?<=(?:assword|assphrase|asscode|PIN)[^\n]{0,12}\n\s{0,8}send ["'])[^\\"'\n]{3,80}|(?<=\bprintf ["'](?:[^\\"'\s]{4,60}\\n)?)[^\\"'\s]{4,60}(?=\\n[^\n]{0,120}\| ?(?:smb)?passwd)/gi,
      /(?<=\b(?:7za?|(?:un)?rar|(?:un)?zip)\b[^\n]{0,160}\s["']?-(?:hp|p)["']?)[^\s"']{3,80}/g,
      /(?<=\s-[ik]=)[A-Za-z0-9+/]{16,80}/g,
      // Quoted, whichever command it is.
      /(?<=\s-[pPW] ?["'])(?=[^"'\s]{0,60}\d)(?=[^"'\s]{0,60}[A-Za-z])[^"'\s/:]{6,80}(?=["'])/g,
    ],
  },
  {
    sign: /rtmps?:|[?&]p(?:ass\w{0,4}|wd?)=|\(["']\d{1,3}\.\d|密|pan\.baidu|for every|for all|sentence|整句/i,
    shapes: [
      // The name of a stream is what lets one broadcast.
      /(?<=\brtmps?:\/\/[\w.:-]{3,80}(?:\/[\w.-]{1,40}){1,2}\/)(?=[\w-]{0,60}\d)[\w-]{10,100}(?:\?[\w=&%-]{1,200})?/g,
      /(?<=[?&]p(?:ass(?:word|code|wd)?|wd?)=)[\w.~%!@*-]{4,64}/g,
      /(?<=\bpan\.baidu\.com\/\S{5,80}\s[^\n]{0,12}(?:code|pw|pass|码|碼)[: ]{1,2})[a-z\d]{4}(?!\w)/gi,
      /(?<=\(["']\d{1,3}(?:\.\d{1,3}){3}["'], ?(?:token=)?["'])[\da-f]{32}(?=["'])/g,
      /(?<=(?:[账帐帳賬][号號户戶]?|用[户戶]名?)[: ]{1,2}[!-~]{2,40}[ ,、\/\n]{1,3}密[码碼]?[: ]{1,2})[!-~]{5,60}/g,
      /(?<=\buse )(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z]{3})[\w!@#$%^&*.-]{7,40}(?= (?:for|on) (?:\w{1,12} )?(?:every|all|everything)\b)/gi,
    ],
  },
  {
    sign: /bearer|basic/i,
    shapes: [
      /(?<=\bbearer\s{1,2})(?=[A-Za-z0-9._~+/=-]{0,200}\d)[A-Za-z0-9._~+/=-]{12,2000}|(?<=\bbasic\s{1,2})(?=[A-Za-z0-9+/]{0,200}(?:\d|=))[A-Za-z0-9+/]{8,400}={0,2}/gi,
    ],
  },
  {
    sign: /<[\w:.-]{0,30}(?:pass|pwd|secret|token|key)|-secrets\b/i,
    shapes: [
      /(?<=<[\w:.-]{0,30}(?:pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|access|private|secret)[-_]?key)(?:\s[^<>]{0,80})?>)[^<\s]{3,400}(?=<\/)/gi,
      /(?<=\b(?:chap|pap)-secrets\b[^\x00]{0,300}\n\S{1,40}[ \t]{1,20}\S{1,40}[ \t]{1,20})(?!IP\b|secret\b)\S{4,60}/gi,
    ],
  },
  {
    sign: /\b(?:secret|password|key|community|md5|psk|string) (?:[05-9]|level|(?:irreversible-)?cipher|simple|plain|clear|ascii|hex|encrypted)\b|-server |\bneighbor |\bisakmp |\bospf |\benable |\bntp /i,
    shapes: [
      // Of switches and routers, by the way it is stored.
      /(?<=\b(?:secret|password|key|community|md5|psk|string)(?: (?:[05-9]|level \d{1,2}|(?:irreversible-)?cipher|simple|(?:plain|clear|ascii)(?:-?text)?|hex(?:adecimal)?|encrypted)){1,2} ["']?)(?=[!-~]{0,60}[\d@#$%^&!_])[^\s"']{5,100}/gi,
      /(?<=\b(?:(?:tacacs|radius)-server [^\n]{0,80}\bkey|\bneighbor \S{1,40} password|\bospf authentication-key|-key \d{1,5} md5|\bisakmp key|\benable (?:password|secret)) (?:[0-9] )?)(?!level\b|secret\b|password\b|on\b|for\b|[0-9] )[^\s"',.]{4,80}/g,
    ],
  },
  {
    sign: /\b(?:mc (?:alias|config)|aws configure|authtoken|nmcli|wpa_passphrase|rabbitmqctl|xfreerdp|mosquitto_passwd|cmdkey|docker login|vault login|rclone)\b|["'][\w.-]{0,40}p(?:ass\w{0,8}|wd)=|\bLTAI|\bAK(?:IA|ID|LT)/i,
    shapes: [
      /(?<=\bmc (?:alias set|config host add) \S{1,60} \S{1,200} \S{1,100} ["']?)[^\s"']{4,100}/g,
      /(?<=\b(?:aws configure set \S{1,60}(?:key|token)|(?:add-)?authtoken|nmcli [^\n]{1,120} password|wpa_passphrase \S{1,60}|rabbitmqctl (?:add_user|change_password) \S{1,60}|mosquitto_passwd -b \S{1,80} \S{1,60}|vault login|rclone obscure) ["']?)(?!-)[^\s"'<]{5,200}|(?<=\b(?:xfreerdp|cmdkey) [^\n]{0,120}\/p(?:ass)?:["']?)[^\s"']{4,100}/g,
      /(?<=["'][\w.-]{0,40}p(?:ass(?:word|wd|phrase|code)?|wd)=)[^"'\n$<{%]{3,100}(?=["'])/gi,
      // The other half of an access key.
      /(?<![A-Za-z0-9+/])(?=[A-Za-z0-9+/]{0,60}\d)(?=[a-z0-9+/]{0,60}[A-Z])[A-Za-z0-9+/]{24,64}(?![A-Za-z0-9+/])(?<=\b(?:LTAI|AK(?:IA|ID|LT))[A-Za-z0-9]{8,40}\b[^\x00]{25,160})/g,
    ],
  },
  {
    sign: /\.data\.|-field=|\bop read|\bpass show|-generic-password|\bpwgen|\bopenssl rand|versions access|get-secret|config:get|output -raw|\bprintenv|\becho \$|base64|\bcat \S{0,60}(?:pass|secret|token|key)/i,
    shapes: [
      // What such a command prints.
      /(?<=(?:\.data\.|-field=|\bop read|\bpass show|-generic-password|\bpwgen|\bopenssl rand|versions access|get-secret|config:get|output -raw|\bprintenv|\becho \$|base64|\bcat )[^\n]{0,200}\n\s{0,4})(?<=(?:pass|pwd?|secret|token|key|rand)[^\n]{0,200}\n\s{0,4})(?=[!-~]{0,200}[\d=])(?=[!-~]{0,200}[A-Za-z])[^\s:{}<>()\\$#]{6,400}(?=\s{0,4}(?:\n|$))/gi,
    ],
  },
  {
    sign: /vmess|vless|v2ray|xray|tuic|clash|节点|[机機]场|订阅/i,
    shapes: [
      /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])(?<=(?:vmess|vless|v2ray|xray|tuic|clash|节点|[机機]场|订阅)[^\x00]{36,236})|(?<=\b(?:vmess|ssr?):\/\/)[A-Za-z0-9+\/_=-]{20,2000}/gi,
    ],
  },
];
