import type { BanDocument, Collections, InviteDocument, RequestDocument } from "./collections.mongo.ts";
import { inviteOf } from "./invites.mongo.ts";
import { requestOf, withoutId } from "./steps.mongo.ts";
import type { AccountStore, FeaturedStore } from "../../domain/store.ts";

export const mongoAccounts = ({ bans, invites, requests }: Collections): AccountStore => ({
  async records(userId, limit) {
    const latest = { createdAt: 1 } as const;
    const [asked, made, banned] = await Promise.all([
      requests.find({ userId }).sort(latest).limit(limit).lean<RequestDocument[]>(),
      invites.find({ createdBy: userId }).sort(latest).limit(limit).lean<InviteDocument[]>(),
      bans.find({ userId }).sort(latest).limit(limit).lean<BanDocument[]>(),
    ]);
    return { requests: asked.map(requestOf), invites: made.map(inviteOf), bans: banned.map(withoutId) };
  },
  async forget(userId) {
    await requests.deleteMany({ userId });
    await invites.deleteMany({ createdBy: userId });
    await bans.deleteMany({ userId });
  },
});

export const mongoFeatured = ({ featured, servers }: Collections): FeaturedStore => ({
  list: async () => (await featured.find().sort({ featuredAt: 1, _id: 1 }).lean()).map(({ _id }) => _id),
  async add(_id, featuredAt) {
    if (!(await servers.exists({ _id }))) return false;
    await featured.updateOne({ _id }, { $setOnInsert: { featuredAt } }, { upsert: true });
    return true;
  },
  remove: async (_id) => (await featured.deleteOne({ _id })).deletedCount === 1,
});
