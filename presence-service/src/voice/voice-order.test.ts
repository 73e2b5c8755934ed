import { describeVoiceOrder } from "./voice-order.contract.ts";

// Three hundred: voice-order.long.test.ts.
describeVoiceOrder(60);
