/**
 * Keys that announce themselves: the shapes that issuers document, and formats in
 * which only a secret is written.
 *
 * Pure. Where a shape has a group, that is the secret; else all of it is. Each is
 * looked for in one pass: what may be long is bounded or ends where it cannot go on.
 */
export const PRIVATE_KEY_BEGINS = "-----BEGIN ";
export const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;

/** `sign`: what stands wherever the shape does, and is quicker to look for. */
type Issued = readonly [kind: string, shape: RegExp, sign?: RegExp];

export const ISSUED: readonly Issued[] = [
  ["jwt", /(?<![\w-])eyJ[A-Za-z0-9_-]{8,8192}\.eyJ[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,8192})?/g],
  ["aws-key", /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g],
  ["aliyun-key", /\bLTAI[A-Za-z0-9]{12,30}\b/g],
  ["tencent-key", /\bAKID[A-Za-z0-9]{13,40}\b/g],
  ["volcengine-key", /\bAKLT[A-Za-z0-9]{20,60}\b/g],
  ["baidu-key", /\bALTAK[A-Za-z0-9]{16,40}\b/g],
  [
    "azure-key",
    /(?:\b(?:AccountKey|SharedAccessKey)=)([A-Za-z0-9+/]{40,100}={0,2})|\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,37}/g,
  ],
  [
    "signature",
    /(?<=[?&](?:sig|signature|x-amz-signature|x-goog-signature)=)[A-Za-z0-9%+/_=.-]{20,400}/gi,
    /sig/i,
  ],
  [
    "link-token",
    /(?<=\/(?:[\w-]{0,20}(?:reset|password|magic|invit|verif|confirm|activat|log-?in|sign-?in|unlock|sso|token)[\w-]{0,20})\/|[?&](?:code|ticket|t|k|invite|auth|magic|reset|hash)=)(?=[\w.%-]{0,60}(?:[A-Za-z]\d|\d[A-Za-z]))(?=[\w.%-]{0,60}[A-Z])[\w.%-]{20,400}/g,
    /\/\//,
  ],
  ["github-token", /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})/g],
  ["gitlab-token", /\bgl(?:pat|ptt|rt|cbt|dt|oas|soat|ft|imt|agent)-[A-Za-z0-9_.-]{16,255}/g],
  [
    "bitbucket-token",
    /\bATBB[A-Za-z0-9]{28,60}|\bATATT3[A-Za-z0-9_=-]{100,400}|\bATCTT3[A-Za-z0-9_=-]{100,400}/g,
  ],
  [
    "slack-token",
    /\bxox[abeoprs]-(?=[A-Za-z0-9-]{0,30}\d)[A-Za-z0-9-]{10,255}|\bxapp-\d-[A-Za-z0-9-]{20,255}/g,
  ],
  [
    "webhook",
    /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/]{20,120}|(?<=\/api\/webhooks\/\d{15,22}\/)[A-Za-z0-9_-]{40,100}|(?<=\/open-apis\/bot\/v2\/hook\/)[A-Za-z0-9-]{30,60}|(?<=qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=)[A-Za-z0-9-]{30,60}|(?<=webhook\.office\.com\/webhookb2\/)[A-Za-z0-9@/-]{60,200}|(?<=hooks\.zapier\.com\/hooks\/catch\/)[A-Za-z0-9/]{8,60}/g,
    /hook/,
  ],
  ["discord-token", /\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}/g],
  ["dingtalk-secret", /\bSEC[0-9a-f]{60,64}\b/g],
  [
    "api-key",
    /\bsk-[a-z]{40,64}\b|(?:\b|(?<=key))(?:sk|rk|pk)[-_](?=[A-Za-z0-9_-]{0,40}\d)[A-Za-z0-9_-]{16,255}/g,
  ],
  [
    "google-key",
    /\bAIza[A-Za-z0-9_-]{30,40}|\bya29\.[A-Za-z0-9_-]{20,400}|\bGOCSPX-[A-Za-z0-9_-]{20,40}|\b4\/0A[A-Za-z0-9_-]{20,200}|\b1\/\/0[A-Za-z0-9_-]{30,200}/g,
  ],
  [
    "licence-key",
    /(?<![\w-])(?=[A-Z-]{0,30}\d)(?=[\d-]{0,30}[A-Z])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){2,4}(?![\w-])/g,
    /[A-Z0-9]{5}-[A-Z0-9]{5}-/,
  ],
  [
    "push-key",
    /(?<=\bapi\.day\.app\/)[A-Za-z0-9]{20,24}(?=\/)|\bSCT\d{3,8}T[A-Za-z0-9]{20,40}/g,
    /\.day\.app|SCT/,
  ],
  ["memd-token", /\bmemd_[a-z0-9]{52}\b/g],
  ["asana-token", /\b\d\/\d{16}(?:\/\d{16})?:[0-9a-f]{32}\b/g],
  [
    "private-key",
    /(?<=\bPrivate-Lines: \d{1,3}\r?\n)(?:[A-Za-z0-9+/=]{1,120}\r?\n){0,60}[A-Za-z0-9+/=]{1,120}|(?<="d" ?: ?")[A-Za-z0-9_-]{42,1400}(?=")|\bMII(?:Ev|JK|Eo|Ep|JQ|CX|Cd|BV)[A-Za-z0-9+/]{150,4000}={0,2}/g,
    /Private-Lines|"d"|MII/,
  ],
  [
    "vendor-key",
    /\bEAA[A-Z](?=[\w-]{0,60}\d)[\w-]{50,400}|\bc[ks]_[0-9a-f]{40}\b|\brzp_(?:live|test)_\w{14,30}|\bFLW(?:SECK|PUBK)(?:_TEST)?-\w{20,60}(?:-X)?|\b(?:live|test)_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{28,64}\b|\bpscale_(?:tkn|pw|oauth)_[\w.-]{30,80}|\bpcsk_\w{30,100}|\bnapi_\w{30,80}|\brnd_\w{24,60}|\bdbt[cu]_[\w+/=-]{30,80}|\brdme_\w{40,90}|\bdt0[cs]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}|\bhc[abx]ik_\w{30,80}|\bCLOJARS_[0-9a-f]{60}|\bico-\w{32}\b|\bAVNS_[\w-]{16,40}|\by0_[\w-]{40,80}|\bt1\.[\w-]{60,300}|\bAQVN[\w-]{30,60}|\bvk1\.a\.[\w-]{60,300}|\btvly-[\w-]{20,60}|\bfc-[0-9a-f]{32}\b|\bbb_(?:live|test)_[\w-]{20,60}|\be2b_[0-9a-f]{30,60}|\brpa_\w{30,60}|\bpolar_\w{2,5}_\w{30,80}|\bpdl_(?:live|sdbx)_\w{20,100}|\bsecret-(?:live|test)-[\w=-]{30,80}|\bsignkey-\w{2,8}-[0-9a-f]{30,70}|\btr_(?:dev|prod|stg)_\w{16,40}|\b(?:duffel|shippo)_(?:live|test)_[\w-]{30,80}|\bsec-c-[\w=-]{30,80}|\b(?:sdk|mob|api|rel)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\bpat-(?:na|eu|ap)\d-[0-9a-f-]{36}|\bAKCp\w{60,80}|\bcmVmdGtu\w{40,80}|\bops_eyJ\w{100,1500}|\bA3(?:-[A-Z0-9]{5,6}){5,7}\b|\bAAAA[\w-]{7}:[\w-]{100,200}|\bxsmtpsib-[\w-]{60,100}|\bkey[A-Za-z0-9]{14}\b(?=[^\n]{0,60}airtable)|\bsl\.[\w-]{60,300}|\btfp_\w{40,80}|\b[0-9a-f]{24}:[0-9a-f]{64}\b|\bapify_api_\w{30,60}|\b(?:sgp|sgd)_[0-9a-f_]{30,80}|\bK00[1-9][A-Za-z0-9/+]{27}\b|\baccess-(?:production|sandbox|development)-[0-9a-f-]{36}|\bEAPI[\w-]{30,60}|\bAQE[a-z][\w+/]{60,200}|\bu\+[A-Za-z0-9_-]{18}\b|\b00D\w{12,15}![\w.]{60,120}|\bsctp\d+t\w{20,60}|\b\w{26}_mmk\b/g,
    /EAA|c[ks]_|rzp_|FLW|live|test|pscale|pcsk|napi_|rnd_|dbt[cu]_|rdme_|dt0|ik_|CLOJARS|ico-|AVNS|y0_|t1\.|AQVN|vk1|tvly|fc-|e2b_|rpa_|polar|pdl_|signkey|tr_|sec-c|sdk-|mob-|api-|rel-|pat-|AKCp|cmVm|ops_|A3-|AAAA|xsmtp|airtable|sl\.|tfp_|[0-9a-f]{24}:|apify|sg[pd]_|K00|access-|EAPI|AQE|u\+|00D|sctp|_mmk/,
  ],
  ["npm-token", /\bnpm_[A-Za-z0-9]{30,80}/g],
  ["pypi-token", /\bpypi-[A-Za-z0-9_-]{32,400}/g],
  ["docker-token", /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,80}/g],
  [
    "ci-token",
    /\bCCIPAT_[A-Za-z0-9_]{20,120}|\bbk(?:ua|aj)_[0-9a-f]{30,60}|\bnfp_[A-Za-z0-9]{30,60}|\bvc[kpiar]_[A-Za-z0-9]{20,80}|\btrv_[A-Za-z0-9]{20,60}|\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,120}|\bsq[up]_[0-9a-f]{40}|\bglsa_[A-Za-z0-9_]{30,80}|\bgl[ce]_[A-Za-z0-9+/=]{30,400}|\brubygems_[0-9a-f]{40,60}|\bcio[A-Za-z0-9]{32}\b|\boy2[a-z0-9]{43}\b/g,
  ],
  ["huggingface-token", /\b(?:hf|api_org)_[A-Za-z0-9]{30,80}/g],
  [
    "model-key",
    /\b(?:gsk|xai|r8|pplx|fw|nvapi|tgp_v1|csk|jina|voy|pa|lsv2_(?:pt|sk)|co|ark|bce-v3\/ALTAK)[_-](?=[A-Za-z0-9_/-]{0,40}\d)[A-Za-z0-9_/-]{24,255}|\b[0-9a-f]{32}\.[A-Za-z0-9]{16}\b/g,
    /(?:gsk|xai|r8|pplx|fw|nvapi|tgp_v1|csk|jina|voy|pa|_pt|_sk|co|ark|ALTAK)[_-]|(?<![0-9a-f])[0-9a-f]{32}\./,
  ],
  [
    "mail-key",
    /\bSG\.[A-Za-z0-9_-]{16,60}\.[A-Za-z0-9_-]{16,80}|\bkey-[0-9a-f]{32}\b|\b[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b|\b[0-9a-f]{32}-us\d{1,2}\b|\bxkeysib-[0-9a-f]{60,70}-[A-Za-z0-9]{12,20}|\bre_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,40}/g,
    /SG\.|key-|[0-9a-f]{8}-|-us\d|xkeysib|\bre_/,
  ],
  ["twilio-key", /\b(?:SK|AC)[0-9a-f]{32}\b/g],
  ["telegram-token", /(?<![\d:])\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_])/g],
  ["vault-token", /\bhv[sbr]\.[A-Za-z0-9_-]{20,400}|\bs\.(?=[A-Za-z0-9]{0,23}\d)[A-Za-z0-9]{24}\b/g],
  [
    "cloud-token",
    /\bdapi[0-9a-f]{32}(?:-\d)?|\bdo[oprt]_v1_[0-9a-f]{40,80}|\bHRKU-[A-Za-z0-9_-]{30,80}|\bsbp_[0-9a-f]{30,60}|\bsb_secret_[A-Za-z0-9_-]{20,60}|\bNR(?:AK|JS|II|IQ|AA|RA)-[A-Za-z0-9_-]{20,60}|\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,100}|\bpul-[0-9a-f]{40}\b|\bFlyV1 [A-Za-z0-9_+/=,-]{30,800}|\bfm[12][a-z]?_[A-Za-z0-9_+/=-]{40,800}|\btskey-[a-z]{3,12}-[A-Za-z0-9-]{16,80}|\bdd[apw]_[A-Za-z0-9]{30,60}|\bpnu_[A-Za-z0-9]{30,60}|\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}|\bsntry[su]_[A-Za-z0-9+/=_-]{40,400}|\bocp_[A-Za-z0-9]{20,80}|\blin_(?:api|oauth)_[A-Za-z0-9]{30,80}|\bntn_[A-Za-z0-9]{40,60}|\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}|\bfig[dou]_[A-Za-z0-9_-]{30,60}|\bphc?_[A-Za-z0-9]{30,60}|\bCFPAT-[A-Za-z0-9_-]{30,60}|\bEZ[AT]K[0-9a-f]{54}|\bU\+?K?v1\.0-[0-9a-f]{24}-[0-9a-f]{100,200}/g,
    /dapi|do[oprt]_v1|HRKU|sbp_|sb_secret|NR[AJI]|atlasv1|pul-|Fly|fm[12]|tskey|dd[apw]_|pnu_|PMAK|sntry|ocp_|lin_|ntn_|pat|fig[dou]_|ph[cx]?_|CFPAT|EZ[AT]K|v1\.0-/,
  ],
  [
    "shop-key",
    /\bshp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{28,40}\b|\bwhsec_[A-Za-z0-9+/=]{20,80}|\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,60}|\bAPP_USR-[A-Za-z0-9-]{40,100}|\baccess_token\$production\$[a-z0-9$]{20,80}/g,
  ],
  [
    "sentry-key",
    /(?<=https?:\/\/)[0-9a-f]{32}(?::[0-9a-f]{32})?(?=@[a-z0-9.-]{3,80}\/\d)/g,
    /:\/\/[0-9a-f]{32}/,
  ],
  [
    "wallet-key",
    /\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b|\bnsec1[02-9ac-hj-np-z]{50,70}\b|\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{50,70}\b|\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{90,120}\b/gi,
  ],
  [
    "recovery-key",
    /(?<!\d|\d-)\d{6}(?:-\d{6}){7}(?!\d)|(?<![a-z0-9] ?)[a-z2-7]{4}(?: [a-z2-7]{4}){7}(?! ?[a-z0-9])/g,
    /\d{6}-\d{6}-|\b[a-z2-7]{4} [a-z2-7]{4} [a-z2-7]{4} [a-z2-7]{4}\b/,
  ],
  ["otp-seed", /(?<=\botpauth:\/\/[^\s]{1,200}[?&]secret=)[A-Z2-7=]{8,80}/gi, /otpauth/i],
  ["wifi-password", /(?<=\bWIFI:(?:[^\n]{0,80};)?P:)(?:\\.|[^\n;\\]){1,80}(?=;)/g, /WIFI:/],
];

/** Those that hold no long run. */
export const ISSUED_SHORT: typeof ISSUED = ISSUED.filter(([kind]) =>
  ["recovery-key", "otp-seed", "wifi-password"].includes(kind),
);
