import { describeVoiceOrder } from "./voice-order.contract.ts";

describeVoiceOrder(300);
