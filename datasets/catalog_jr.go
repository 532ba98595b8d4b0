package datasets

// The sets J to R of the paper's Table 1.

func breasttissue() Entry {
	const name = "BreastTissue.xls"
	return Entry{
		ID: "breasttissue", Letter: "J", Name: "Breast Tissue", Licence: uciLicence,
		Note: "sheet \"Data\"; copies of the file differ in the name and time that Excel stamps into it, so its content decides; one row repeats " +
			"the features of another",
		Files: []File{varying(uci("192/breast+tissue", "00192", name, "",
			87040, "9db1a25bfee8807b13318bc58d558ef4e95a5f984b886342be3edf0fbd5d502b"))},
		Features:    9,
		Labels:      []string{"car", "fad", "mas", "gla", "con", "adi"},
		Classes:     []string{"carcinoma", "fibroadenoma", "mastopathy", "glandular", "connective", "adipose"},
		Histogram:   []int{21, 15, 18, 16, 14, 22},
		Digest:      "0ad85661ff24678cc8d9edcac15fce1b77a94018b8db5b840eedfac117c34cf6",
		Sizes:       Sizes{Train: 3, Validation: 3},
		SplitDigest: "771edc22a3306eebed5f4e94bebc2ed35ea842c4e8b1c1716026dae93d706026",
		load:        loadBreastTissue,
	}
}

func coil20() Entry {
	return Entry{
		ID: "coil20", Letter: "K", Name: "COIL20",
		Licence: "no redistribution licence seen: research use, do not pass on without asking Columbia University",
		Note: "Deng Cai's version of 32 x 32 pixels; the paper cites https://www.cs.columbia.edu/CAVE/software/softlib/coil-20.php with 128 x " +
			"128; views in the order of their file names (0, 1, 10, 11, ...)",
		Files: []File{{
			Name: "COIL20.mat", Bytes: 3022227, Varies: true,
			SHA256:  "2a35c105dbb327492b90389e55612bcbf39187bc7c408252239903e4ce7d6958",
			Sources: []Source{{URL: "http://www.cad.zju.edu.cn/home/dengcai/Data/COIL20/COIL20.mat"}},
		}},
		Features:    1024,
		Labels:      counted(20),
		Histogram:   same(20, 72),
		Digest:      "4f7a37c61f911a8b43bfebd51057ebb2ea68c4c3aeba4d2b898ce946bcb35d22",
		Sizes:       Sizes{Train: 20, Validation: 20},
		PCA:         30,
		SplitDigest: "478719c622b7a13a85b12061ffdbff9d3dd4e3930b8b7f4f5700d7fcd18f27f2",

		StandardizedDigest: "cc6c07f8616e57e317a0019002006e5cfb87d04cd6c42199599211f2302adbb5",
		load:               loadCOIL20,
	}
}

func glass() Entry {
	const name = "glass.data"
	return Entry{
		ID: "glass", Letter: "L", Name: "Glass", Licence: uciLicence + "; doi 10.24432/C5WW2P",
		Note: "class 4 has no rows and no code, the id is dropped; vote ties are frequent and the authors' order of the classes is not known; one " +
			"row repeats the features of another",
		Files: []File{uci("42/glass+identification", "glass", name, "",
			11903, "dd67373f4baf2807345df02cbfef2093d342e61ad0d82a4fb79af43ef8ce449d")},
		Features:    9,
		Labels:      []string{"1", "2", "3", "5", "6", "7"},
		Classes:     []string{"float building windows", "other building windows", "float vehicle windows", "containers", "tableware", "headlamps"},
		Histogram:   []int{70, 76, 17, 13, 9, 29},
		Digest:      "e272485a8663213838c5c7bc40bd40c45cbbf516c5bfbc273491f005c89b690c",
		Sizes:       Sizes{Train: 3, Validation: 3},
		SplitDigest: "2096f80c4bad8ffef5a7afae232c01ed4f59ca0cfc227c15b5a7cd7bfbb32f6b",
		load:        tables(table{name, shape{separator: ",", fields: 11, label: 11, drop: 1}}),
	}
}

func heart() Entry {
	const name = "heart.dat"
	return Entry{
		ID: "heart", Letter: "M", Name: "Heart", Licence: uciLicence,
		Note: "class 1 is absence, 2 presence of heart disease",
		Files: []File{uci("145/statlog+heart", "statlog/heart", name, "",
			16461, "f5f3b4204c285bafadd85cb735f38b47689f2be7047feb172dcbeab648110bf9")},
		Features:    13,
		Labels:      []string{"1", "2"},
		Classes:     []string{"absence", "presence"},
		Histogram:   []int{150, 120},
		Digest:      "bca68544a2a3c9f2931fc25a939737fff2dc3976c03325d80da44f338acf6820",
		Sizes:       Sizes{Train: 20, Validation: 20},
		SplitDigest: "47be37f098cdf7a3a984528c2611e0566a3733d22cb9aeb65012bdc2cf18d252",
		load:        tables(table{name, shape{fields: 14, label: 14}}),
	}
}

func isolet() Entry {
	const archive, folder = "54/isolet", "isolet"
	lines := shape{separator: ",", fields: 618, label: 618, number: true}
	return Entry{
		ID: "isolet", Letter: "N", Name: "Isolet", Licence: uciLicence + " (recorded for it by public scripts); doi 10.24432/C51G69",
		Note: "isolet1+2+3+4.data, then isolet5.data; the bytes known of the first were put together again from its values, so its content decides",
		Files: []File{
			varying(uci(archive, folder, "isolet1+2+3+4.data", ".Z", 32445949, "a4f27347a03785e4603b664cffa9212951a142d8f8f86e833eca12ecd19fe4cf")),
			uci(archive, folder, "isolet5.data", ".Z", 8110875, "d3409bb424f2bf9a68d0d07d4824b1d776b430d2e49c1207f00502a9e2f2a899"),
		},
		Features: 617,
		Labels:   counted(26),
		Classes:  letters(),
		Histogram: []int{300, 300, 300, 300, 300, 298, 300, 300, 300, 300, 300, 300, 299,
			300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300},
		Digest:      "b59f5cfb3fb7d479bb5dd85a96389b65e8b248d154f656cbb7967ee171ef77ea",
		Sizes:       Sizes{Train: 20, Validation: 140},
		PCA:         30,
		SplitDigest: "b21648f1448eff59803857c9542f2fd355af06b6da5153a31f5b072eb30bee82",

		StandardizedDigest: "7c64c239132a71f84ee90faa83e872cee1d80ba8b458bb393060ce9760460817",
		load:               tables(table{"isolet1+2+3+4.data", lines}, table{"isolet5.data", lines}),
	}
}

func optdigits() Entry {
	const archive, folder = "80/optical+recognition+of+handwritten+digits", "optdigits"
	lines := shape{separator: ",", fields: 65, label: 65}
	return Entry{
		ID: "optdigits", Letter: "O", Name: "Optdigits", Licence: uciLicence,
		Note: "optdigits.tra, then optdigits.tes; 32 principal components as in Table 1, where the text says 30; features 1 and 40 are constant",
		Files: []File{
			uci(archive, folder, "optdigits.tra", "", 563639, "e1b683cc211604fe8fd8c4417e6a69f31380e0c61d4af22e93cc21e9257ffedd"),
			uci(archive, folder, "optdigits.tes", "", 264712, "6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8"),
		},
		Features:    64,
		Labels:      digits(),
		Histogram:   []int{554, 571, 557, 572, 568, 558, 558, 566, 554, 562},
		Digest:      "7b3271d9a02877e51f4542495576363777bf8fa143c2e7a6cf23d9fa75340521",
		Sizes:       Sizes{Train: 40, Validation: 240},
		PCA:         32,
		SplitDigest: "774c85f0c38bc11d19b23908cc8cd90719676e881d879893e697e9962144a618",

		StandardizedDigest: "a12f49c565d8af1958d1923cfa3720989e1779cbcaab4cba77ab29cb4d0e3154",
		load:               tables(table{"optdigits.tra", lines}, table{"optdigits.tes", lines}),
	}
}

func sonar() Entry {
	const name = "sonar.all-data"
	return Entry{
		ID: "sonar", Letter: "P", Name: "Sonar", Licence: uciLicence + "; doi 10.24432/C5T01Q",
		Note: "the test set has 128 samples: Table 1's 180 is more than the 208 rows leave, and the printed accuracies fit 128",
		Files: []File{uci("151/connectionist+bench+sonar+mines+vs+rocks", "undocumented/connectionist-bench/sonar", name, "",
			87776, "e90434cdbf00fcf93ffa911fe447ae25606979658e60f1d32e155c3b5240234d")},
		Features:    60,
		Labels:      []string{"R", "M"},
		Classes:     []string{"rock", "mine"},
		Histogram:   []int{97, 111},
		Digest:      "b2e2f83ab2977a5a76f381ce4aa6fb29876be150ac9739d84cdd5029f2029bb6",
		Sizes:       Sizes{Train: 20, Validation: 20},
		SplitDigest: "d728c19953461f7576b20cfe2c064ec94f04a47a7cd130f276a342d7c40a024f",
		load:        tables(table{name, shape{separator: ",", fields: 61, label: 61}}),
	}
}

func usps() Entry {
	const place = "https://hastie.su.domains/ElemStatLearn/datasets/"
	lines := shape{fields: 257, label: 1, number: true}
	return Entry{
		ID: "usps", Letter: "Q", Name: "USPS",
		Licence: "no redistribution licence seen: research use, do not pass on without asking",
		Note: "zip.train, then zip.test, of The Elements of Statistical Learning; not usps_resampled of " +
			"http://www.gaussianprocess.org/gpml/data/, the same 9298 images in another order",
		Files: []File{
			varying(File{
				Name: "zip.train", Bytes: 14512253,
				SHA256:  "abc9f5c75b997cabe66b5d01727d5a681c69298e1641a8d37b55433a52129dc0",
				Sources: []Source{{URL: place + "zip.train.gz"}},
			}),
			varying(File{
				Name: "zip.test", Bytes: 2029542,
				SHA256:  "6bde17b4f1cd68e0630cd2751d6495b5795d9165ab2dc4a0be8b7002b732f4cc",
				Sources: []Source{{URL: place + "zip.test.gz"}},
			}),
		},
		Features:    256,
		Labels:      digits(),
		Histogram:   []int{1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821},
		Digest:      "d7e7562c95cf257743eab5a6a35e2176778041f3e8b9fa1e647fe5227819809e",
		Sizes:       Sizes{Train: 40, Validation: 450},
		PCA:         30,
		OtherCopy:   true,
		SplitDigest: "29134655010fd3c6e3d314797a586a190c318dc848a1aee724f2ef6d3da7a05f",

		StandardizedDigest: "9ebc4e74febd20429c38808943d492348b1b0a96ba6234174592cfbdb52d8313",
		load:               tables(table{"zip.train", lines}, table{"zip.test", lines}),
	}
}

func wpbc() Entry {
	const name = "wpbc.data"
	return Entry{
		ID: "wpbc", Letter: "R", Name: "WPBC", Licence: uciLicence,
		Note: "the id is dropped, the time kept; the four missing values, all in the last feature, are read as 0",
		Files: []File{uci("16/breast+cancer+wisconsin+prognostic", "breast-cancer-wisconsin", name, "",
			44234, "f2bd5ccdb6086fa832370dc043319907430cf6bfcfd3b96a3961a357be345c8e")},
		Features:    33,
		Labels:      []string{"N", "R"},
		Classes:     []string{"non-recurrent", "recurrent"},
		Histogram:   []int{151, 47},
		Missing:     4,
		Digest:      "c707881ccda6d1aea0e99ccaa2fd192aceb0d6f02831102377095a80d08d2bec",
		Sizes:       Sizes{Train: 10, Validation: 10},
		SplitDigest: "bc1c5471e44fa25e726c47b16d58a6c287867c90e46e0c030dc1dd5a22e2a175",
		load:        tables(table{name, shape{separator: ",", fields: 35, label: 2, drop: 1, missing: "?"}}),
	}
}
