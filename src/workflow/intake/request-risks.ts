/** Words of a request that call for a second question before anything is changed. Pure. */

/** By the word that is reported. Loose on purpose: a question too many costs less than a lost table. */
const RISKS: readonly (readonly [string, RegExp])[] = [
  [
    'delete',
    /\b(?:delet(?:e|es|ed|ing|ion)|remov(?:e|es|ing) all|purg(?:e|es|ing)|wip(?:e|es|ing)|rm -rf)\b/,
  ],
  ['migrate', /\bmigrat(?:e|es|ed|ing|ions?)\b/],
  ['drop', /(?<!drag[- ]and[- ])\bdrop(?:s|ped|ping)?\b(?![- ]?downs?\b)/],
  ['truncate', /\btruncat(?:e|es|ing) (?:the )?tables?\b/],
  ['payment', /\b(?:payments?|billing|checkout|invoices?|refunds?)\b/],
  [
    'auth',
    /\b(?:auth|oauth2?|authenticat\w{1,5}|authoriz\w{1,6}|authoris\w{1,6}|permissions?|log-?in|sso)\b/,
  ],
  ['password', /\b(?:passwords?|credentials?|secrets?|api[- ]keys?|private keys?)\b/],
  ['production', /\b(?:production|prod)\b/],
  ['security', /\b(?:security|secure|vulnerabilit(?:y|ies)|sandbox)\b/],
  ['encrypt', /\b(?:(?:en|de)crypt(?:s|ed|ing|ion)?|cryptograph\w{1,3})\b/],
  ['删除', /删除|清空|销毁|删库/],
  ['迁移', /迁移/],
  ['支付', /支付|付款|退款|账单|计费/],
  ['权限', /权限|鉴权|认证|授权|登录/],
  ['密码', /密码|口令|密钥|凭证|凭据/],
  // 生产力, 生产者 and 生产环境 begin alike; only the last is a place where things break.
  ['生产', /生产(?![力者率])/],
  ['安全', /安全/],
  ['加密', /(?<!未)[加解]密/],
];

/** In the order of the table, each once. */
export function risksIn(text: string): string[] {
  const lower = text.toLowerCase();
  return RISKS.filter(([, pattern]) => pattern.test(lower)).map(([word]) => word);
}
